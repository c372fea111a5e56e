import CivilTime
import Formats
import Foundation
import Geodesy
import Photos

/// What a file beside a photo says of it: the JSON of an export of Google Photos, which takes times and places out of some photos, or
/// a file of XMP.
struct PhotoSidecar {
    /// Its name without folders.
    private(set) var name = ""
    /// When the photo was taken, as `PhotoInfo` has it.
    private(set) var taken: String?
    private(set) var takenOffset: String?
    /// Where it was taken.
    private(set) var coordinate: Coordinate?

    /// The file beside a photo; `nil` if there is none that says something.
    init?(of photo: URL) {
        let folder = photo.deletingLastPathComponent()
        for name in Self.names(of: photo.lastPathComponent) {
            let url = folder.appendingPathComponent(name)
            let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            guard values?.isRegularFile == true, let size = values?.fileSize, size <= Self.largest,
                let data = try? Data(contentsOf: url)
            else { continue }
            self.name = name
            if name.hasSuffix(".json") { readGoogle(data) } else { readXMP(data) }
            guard taken != nil || coordinate != nil else { continue }
            return
        }
        return nil
    }

    /// Bytes of the largest.
    private static let largest = 1 << 20
    /// What newer exports write between the names, cut where the whole would be too long.
    private static let infix = ".supplemental-metadata"
    /// Characters of the names of older exports, without `.json`.
    private static let longestName = 46
    /// What Google writes behind the name of an edited photo, which has the file of the original, in some of its languages.
    private static let edits = [
        "-edited", "-bearbeitet", "-modifié", "-editado", "-ha editado", "-bewerkt", "-modificato",
        "-edytowane",
    ]

    /// The names that the file of a photo may have. Google writes the number of a copy behind the extension: `a.jpg(1).json` is that of
    /// `a(1).jpg`.
    static func names(of photo: String) -> [String] {
        let whole = photo as NSString
        let (stem, kind) = (whole.deletingPathExtension, whole.pathExtension)
        let cuts = (0...infix.count).reversed().map { String(infix.prefix($0)) }.filter { $0 != "." }
        var names = cuts.map { photo + $0 + ".json" }
        if stem.hasSuffix(")"), let open = stem.lastIndex(of: "("),
            stem[open...].dropFirst().dropLast().allSatisfy(\.isNumber)
        {
            names += cuts.map { "\(stem[..<open]).\(kind)\($0)\(stem[open...]).json" }
        }
        // A name that is too long is cut, in its ending too.
        if photo.count + infix.count > longestName {
            names.append("\((photo + infix).prefix(longestName)).json")
            names.append("\(photo.prefix(longestName)).json")
        }
        for edit in edits where stem.hasSuffix(edit) {
            let original = "\(stem.dropLast(edit.count)).\(kind)"
            names += cuts.map { original + $0 + ".json" }
        }
        return names + ["\(stem).json", "\(photo).xmp", "\(stem).xmp"]
    }

    private mutating func readGoogle(_ data: Data) {
        guard let tree = try? JSONTree(parsing: data) else { return }
        let written = tree["photoTakenTime"]?["timestamp"]
        if let seconds = written?.number ?? written?.text.flatMap(Double.init), seconds != 0,
            PhotoMatchSettings.moments.contains(seconds), let moment = Timestamp(seconds: seconds)
        {
            let text = ISO8601.text(moment, fraction: .never)
            (taken, takenOffset) = (String(text.dropLast()), "+00:00")
        }
        for key in ["geoData", "geoDataExif"] where coordinate == nil {
            guard let place = tree[key], let latitude = place["latitude"]?.number,
                let longitude = place["longitude"]?.number, latitude != 0 || longitude != 0
            else { continue }
            // It writes zeros for what it does not know.
            let altitude = place["altitude"]?.number.flatMap { $0 == 0 ? nil : $0 }
            let found = Coordinate(latitude: latitude, longitude: longitude, altitude: altitude)
            if found.isValid { coordinate = found }
        }
    }

    private mutating func readXMP(_ data: Data) {
        guard let packet = XMPSidecar(data) else { return }
        (taken, takenOffset, coordinate) = (packet.taken, packet.takenOffset, packet.coordinate)
    }
}
