import Archives
import Core

/// Files of other programs that people take for recordings and that are not read: what they are, and what gives one that is.
public struct ForeignRecording: Sendable {
    /// What the file is.
    public let words: String
    /// What to do instead.
    public let fix: String

    /// A kind of file, known by what it begins with.
    private struct Kind {
        let words: String
        let fix: String
        let isKind: @Sendable (HeadText, [UInt8]) -> Bool

        init(_ words: String, _ fix: String, _ isKind: @escaping @Sendable (HeadText, [UInt8]) -> Bool) {
            (self.words, self.fix, self.isKind) = (words, fix, isKind)
        }
    }

    /// Bytes of the longest answer of a server that reports an error.
    private static let longestAnswer = 1000
    /// Bytes by which a file is known.
    private static let recognised = 4096

    /// The kind of a file; `nil` for one of no kind in the list.
    public init?(recognising source: SourceBytes) {
        guard let bytes = try? source.bytes(at: 0, count: Self.recognised) else { return nil }
        let head = HeadText(bytes)
        guard let kind = Self.kinds.first(where: { $0.isKind(head, bytes) }) else { return nil }
        (words, fix) = (kind.words, kind.fix)
    }

    private static let kinds: [Kind] = [
        Kind(
            "a web page", "if it should be a recording, sign in where it comes from and download it again"
        ) { head, _ in
            guard case .element(let name) = head.start else { return false }
            return name.lowercased() == "html"
        },
        Kind(
            "a heart-rate file of Polar (HRM), which has no positions",
            "export the training as TCX or GPX from flow.polar.com"
        ) { head, _ in head.text.hasPrefix("[Params]") && head.text.contains("SMode=") },
        Kind(
            "a training of Polar as a table, which has no positions",
            "export the training as TCX or GPX from flow.polar.com"
        ) { head, _ in head.text.contains("Sample rate,Time,") && head.text.contains("HR (bpm)") },
        Kind(
            "a log of openambit",
            "export it as FIT or GPX from the Suunto app"
        ) { head, _ in head.start == .element("openambitlog") },
        Kind("a workout of TrainingPeaks (PWX)", "export it as FIT, TCX or GPX") { head, _ in
            head.start == .element("pwx")
        },
        Kind("a recording of Sigma (SLF or SMF)", "export it as GPX, TCX or FIT from Sigma's program") {
            head, _ in
            guard case .element(let name) = head.start else { return false }
            return ["Activity", "Log", "Activities"].contains(name)
                && ["fileDate=", "revision=", "<Computer"].contains(where: head.text.contains)
        },
        Kind(
            "a list of geocaches (LOC)", "gpsbabel -i geo -f FILE -o gpx -F caches.gpx makes GPX of it"
        ) { head, _ in head.start == .element("loc") },
        Kind(
            "a file of waypoints of OziExplorer",
            "gpsbabel -i ozi -f FILE -o gpx -F waypoints.gpx makes GPX of it"
        ) { head, _ in head.text.hasPrefix("OziExplorer Waypoint File") },
        Kind(
            "a database of Garmin MapSource (GDB)",
            "gpsbabel -i gdb -f FILE -o gpx -F tracks.gpx makes GPX of it"
        ) { _, bytes in bytes.starts(with: Array("MsRcf".utf8)) },
        Kind("a shapefile", "ogr2ogr -f GeoJSON -t_srs EPSG:4326 tracks.geojson FILE makes GeoJSON of it") {
            _, bytes in
            bytes.starts(with: [0, 0, 0x27, 0x0A])
        },
        Kind(
            "a table of Samsung Health without positions",
            "import the folder or archive of the whole export: the positions are in its files *.location_data.json"
        ) { head, _ in head.text.hasPrefix("com.samsung.") },
        Kind(
            "a table of the activities of Garmin Connect without their recordings",
            "export each activity as \"Original\", or all data of the account (Account, Export Your Data)"
        ) { head, _ in
            let line = head.text.prefix { !$0.isNewline }
            return line.contains("Activity Type,Date,Favorite,Title")
        },
        Kind(
            "a table of the activities of Runkeeper without their recordings",
            "import the archive it came in, which has a GPX file for each"
        ) { head, _ in head.text.prefix { !$0.isNewline }.contains("Activity Id,Date,Type,Route Name") },
        Kind(
            "a list of the activities of Fitbit without their recordings",
            "export each activity as TCX from its page, or import the archive of all data, which has TCX files"
        ) { head, _ in head.text.contains("\"logId\"") && head.text.contains("\"activityName\"") },
        Kind(
            "a table of the activities of Zepp (Amazfit, Mi Fit) without their recordings",
            "share each activity as GPX from the app"
        ) { head, _ in head.text.prefix { !$0.isNewline }.contains("type,startTime,sportTime(s)") },
        Kind(
            "a recording of Huawei Health",
            "share the activity as GPX or TCX from the app, or convert the file to TCX"
        ) { head, _ in head.text.contains("HW_EXT_TRACK") },
        Kind(
            "the answer of a server that reports an error",
            "sign in where it comes from and download it again"
        ) { head, _ in
            head.start == .object && head.text.utf8.count < longestAnswer
                && ["\"error\"", "\"errors\""].contains(where: head.text.contains)
        },
        Kind(
            "a film",
            "exiftool -ee -p gpx.fmt FILE extracts the positions that some cameras write into their films"
        ) { _, bytes in
            bytes.count > 12 && bytes[4..<8].elementsEqual("ftyp".utf8)
                && !["heic", "heix", "hevc", "mif1", "msf1", "avif", "crx ", "M4A ", "M4B "].contains {
                    bytes[8..<12].elementsEqual($0.utf8)
                }
        },
        Kind("a PDF document", "export the recording as GPX from the program that wrote it") { _, bytes in
            bytes.starts(with: Array("%PDF".utf8))
        },
    ]
}
