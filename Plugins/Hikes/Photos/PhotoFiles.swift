import CivilTime
import Foundation
import Geodesy
import Photos
import Pictures
import PluginKit
import TrailStores

/// A photo of a folder, as described by its headers.
struct FolderPhoto {
    /// Its name below the folder.
    let name: String
    let url: URL
    /// Why it cannot be read; `nil` for a photo.
    var problem: String?
    /// Its kind; `nil` if it cannot be read.
    var kind: PhotoKind?
    /// When it was taken by the camera's clock; `nil` if the photo has no time.
    var taken: Timestamp?
    /// What is written where a time should be and is none, such as `2026:06:06 24:00:00`.
    var strangeTime: String?
    /// Whether that is the time of the receiver, which the camera's clock does not change.
    var isTakenByReceiver = false
    /// The time of the receiver's fix beside the camera's; `nil` if there is none.
    var fix: Timestamp?
    /// The source of its time zone, in words; `nil` if the photo has no time.
    var zone: String?
    /// The photo's own position.
    var coordinate: Coordinate?
    /// The name of the file beside the photo that says where it was taken; `nil` if the photo itself does.
    var sidecar: String?
    /// Why it has none although one is written.
    var positionFault: PhotoInfo.PositionFault?
    /// Maker and model.
    var camera = ""
    /// The name of an earlier photo of the folder with the same bytes.
    var twin: String?
    /// Bytes of the file.
    private var size = 0

    /// Reads the headers; a time without an offset is read at the photo's position, else near `coordinate`. Throws only
    /// `E-LIBRARY-MISSING`.
    init(name: String, url: URL, near coordinate: Coordinate, zone: TimeZone) throws {
        (self.name, self.url) = (name, url)
        guard !PhotoMatchSettings.films.contains(url.pathExtension.lowercased()) else {
            problem = "a video, not read: only photos are"
            return
        }
        do {
            let data = try Self.data(of: url)
            size = data.count
            try PhotoKind(sniffing: data.prefix(16))?.requireLibraries()
            var info = try Photos.info(data)
            var source = ""
            // Zeros say nothing that a file beside the photo could contradict.
            let isPlaceOpen =
                info.coordinate == nil && (info.positionFault == nil || info.positionFault == .zero)
            if PhotoTime(info) == nil || isPlaceOpen,
                let beside = PhotoSidecar(of: url)
            {
                if PhotoTime(info) == nil, let time = beside.taken {
                    (info.taken, info.takenOffset) = (time, beside.takenOffset)
                    source = ", by \(beside.name)"
                }
                if isPlaceOpen, let place = beside.coordinate {
                    (info.coordinate, info.positionFault) = (place, nil)
                    sidecar = beside.name
                }
            }
            if PhotoTime(info) == nil, let named = PhotoNameTime.read(name) {
                info.taken = named.taken
                if named.isUTC { info.takenOffset = "+00:00" }
                source = ", by the name of the file"
            }
            if PhotoTime(info) == nil, let changed = info.changed {
                (info.taken, info.takenOffset) = (changed, info.changedOffset)
                if PhotoTime(info) != nil { source = ", by the file's last change" }
            }
            let written = PhotoTime(info)
            // Cameras without a clock write blanks or zeros.
            if written == nil, let text = info.taken, text.contains(where: { "123456789".contains($0) }) {
                strangeTime = String(text.prefix(PhotoMatchSettings.longestTime))
            }
            isTakenByReceiver = written?.isReceivers ?? false
            let time = written?.reading(near: info.coordinate ?? coordinate, session: zone)
            taken = time?.moment
            fix = isTakenByReceiver ? nil : PhotoTime.fix(info)
            self.zone = time.map { $0.words + source }
            self.coordinate = info.coordinate
            positionFault = info.positionFault
            kind = info.kind
            camera = [info.cameraMake, info.cameraModel].compactMap { $0 }.joined(separator: " ")
        } catch let error as PhotoError {
            problem = error.description
        } catch let error as RutterError where error.kind.code != CommonErrors.libraryMissing.code {
            problem = error.message
        }
    }

    /// What is said of a written position that is none, after the source of the one that is used.
    var positionWords: String {
        switch positionFault {
        case nil: ""
        case .unreadable: "; the photo's own position cannot be read"
        case .void: "; the photo's own position is marked as without a fix"
        case .zero: "; the photo's own position is 0,0, which is none"
        }
    }

    /// The bytes of a photo. Throws `E-FILE-ACCESS`.
    static func data(of url: URL) throws -> Data {
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
        guard let size, size <= PhotoMatchSettings.largest else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) is too large for a photo")
        }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read")
        }
    }

    /// The photos in a folder and its subfolders, or a single one, taken on a hike. Throws `E-HIKE-PHOTOS` if there
    /// is none.
    static func all(in folder: URL, of hike: Hike, _ context: Context) throws -> [FolderPhoto] {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
        var files = [(name: folder.lastPathComponent, url: folder)]
        if isFolder.boolValue {
            guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
                throw CommonErrors.fileAccess(
                    "\(folder.lastPathComponent) cannot be read", at: .parameter("folder"))
            }
            files = names.sorted().map { ($0, folder.appendingPathComponent($0)) }.filter { name, url in
                // Links may point outside the folder.
                PhotoMatchSettings.extensions.union(PhotoMatchSettings.films).contains(
                    url.pathExtension.lowercased())
                    && (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
            }
        }
        guard !files.isEmpty else {
            throw HikeErrors.photos(
                "no photo in \(folder.lastPathComponent)", at: .parameter("folder"))
        }
        guard files.count <= PhotoMatchSettings.most else {
            throw HikeErrors.photos("more than \(PhotoMatchSettings.most) photos", at: .parameter("folder"))
        }
        var bySize: [Int: [FolderPhoto]] = [:]
        return try files.enumerated().map { index, file in
            try context.checkCancelled()
            context.progress.report("reading photos", done: index, of: files.count)
            var photo = try FolderPhoto(
                name: file.name, url: file.url, near: hike.start, zone: context.environment.timeZone)
            guard photo.problem == nil else { return photo }
            if let others = bySize[photo.size] {
                let data = try Self.data(of: photo.url)
                photo.twin = try others.first { try Self.data(of: $0.url) == data }?.name
            }
            bySize[photo.size, default: []].append(photo)
            return photo
        }
    }
}

/// Photos of a folder matched with a hike: which were taken on it, and where.
struct PhotoMatch {
    /// A photo with its match.
    struct Entry {
        let photo: FolderPhoto
        /// The camera's time with the offset of its clock.
        let time: Timestamp?
        /// Seconds that were added to the camera's time.
        let offset: Double
        /// The position: its own, or else that of the recording at its time. `nil` if it was not taken on the
        /// hike, or the position is unknown.
        let coordinate: Coordinate?
        /// Why there is no position, or its source.
        let words: String

        /// Whether it was not taken on the hike, or its place then is unknown, by time alone.
        var isBesideHike = false
        /// What its camera's photos say of the clock, where no offset was given; `nil` if nothing.
        var clockFinding: CameraClock.Finding?

        /// The kind of a reason for which it is not used, without what is only of this photo.
        fileprivate func kind(of refusal: Refusal) -> String {
            switch refusal {
            case .duplicate: return "in the store or the folder already"
            case .reason(let words): return words
            case .unmatched:
                guard isBesideHike else { return words }
                if photo.strangeTime != nil { return "an invalid time" }
                return photo.taken == nil ? words : "taken before or after the hike, or in a gap of it"
            }
        }

        /// The first columns of all photo tables: file, time, zone, offset, at.
        var cells: [Value] {
            [
                .text(photo.name), Value(time) { .date($0) }, Value(photo.zone) { .text($0) }, clock,
                Value(coordinate?.withoutAltitude) { .coordinate($0) },
            ]
        }

        /// The offset of the camera's clock; nothing if the photo has no time.
        var clock: Value { photo.taken == nil ? .nothing : .quantity(.seconds(offset.rounded())) }
    }

    /// Why a photo is not used.
    enum Refusal {
        /// The hike has no position for it; the reason is in the words of its entry.
        case unmatched
        /// The store or the folder has the same photo under another name.
        case duplicate(of: String)
        /// Another reason of a command, the same words for all photos that it is true of.
        case reason(String)

        /// The reason for an entry, in words.
        func words(_ entry: Entry) -> String {
            switch self {
            case .unmatched: entry.words
            case .duplicate(let name): "duplicate of \(name)"
            case .reason(let words): words
            }
        }
    }

    let entries: [Entry]
    /// What is said of the clocks of cameras; `nil` if nothing is.
    let clocks: String?

    /// What became of the photos of a source, by why each is not used; `nil` for one that is.
    func account(of source: String, _ refusals: [Refusal?]) -> SourceAccount {
        var account: [SourceAccount.Entry] = []
        func add(_ outcome: SourceAccount.Outcome, _ what: String, _ name: String) {
            if let index = account.firstIndex(where: { $0.outcome == outcome && $0.what == what }) {
                account[index].count += 1
                if account[index].first.count < PhotoMatchSettings.examples {
                    account[index].first.append(name)
                }
            } else {
                account.append(.init(outcome, what, count: 1, first: [name]))
            }
        }
        var used = 0
        for (entry, refusal) in zip(entries, refusals) {
            let photo = entry.photo
            if photo.problem != nil, photo.kind == nil {
                add(.unknown, "not a photo that can be read", photo.name)
            } else if let refusal {
                add(.setAside, entry.kind(of: refusal), photo.name)
            } else if photo.positionFault != nil {
                add(.kept, "without their own position", photo.name)
            } else {
                used += 1
            }
        }
        return SourceAccount(
            source: source,
            parts: [.init(item: "photo", seen: entries.count, used: used, entries: account)])
    }

    /// Matches photos by time. Throws `E-HIKE-NOTIMES` for a hike without times.
    init(_ photos: [FolderPhoto], _ hike: HikeObject, offset: Double?) throws {
        guard let timeline = TrackTimeline(try hike.checkedRecording()) else {
            throw HikeErrors.noTimes("hike \(hike.hike.displayName) has no times", at: .parameter("hike"))
        }
        let cameras =
            offset != nil
            ? [:]
            : Dictionary(grouping: photos.filter { !$0.isTakenByReceiver }, by: \.camera).compactMapValues {
                photos in
                CameraClock.finding(
                    photos.compactMap { photo in
                        guard let time = photo.taken, let place = photo.coordinate else { return nil }
                        return .init(time, place, fix: photo.fix)
                    }, on: timeline)
            }
        clocks = Rows.note(cameras.sorted { $0.key < $1.key }.map { Self.words($0.value, of: $0.key) })
        entries = photos.map { photo in
            let finding = photo.isTakenByReceiver ? nil : cameras[photo.camera]
            var entry = Self.entry(
                photo, photo.isTakenByReceiver ? 0 : offset ?? finding?.applied ?? 0, timeline,
                isDoubted: finding?.isProved == false)
            entry.clockFinding = finding
            return entry
        }
    }

    /// The correction of a camera's clock with its evidence, or what speaks against the clock without proving it.
    private static func words(_ finding: CameraClock.Finding, of camera: String) -> String? {
        let seconds = finding.offset.rounded()
        guard seconds != 0 else { return nil }
        let apart = "\(Literal.roundedDuration(abs(seconds))) \(seconds > 0 ? "slow" : "fast")"
        let name = camera.isEmpty ? "a camera" : camera
        guard finding.isProved else {
            return
                "the clock of \(name) would be \(apart) by the position of one photo, which proves nothing: "
                + "--offset \(Literal.inMessage(.seconds(seconds))) if it is so, --offset 0s if it is right"
        }
        let evidence =
            finding.photos > 1
            ? "the positions of \(finding.photos, of: "photo")"
            : "the position of a photo and its receiver's time"
        return "the clock of \(name) is \(apart), by \(evidence)"
    }

    private static func entry(
        _ photo: FolderPhoto, _ offset: Double, _ timeline: TrackTimeline, isDoubted: Bool
    ) -> Entry {
        let time = photo.taken?.advanced(bySeconds: offset)
        func made(_ coordinate: Coordinate?, _ words: String) -> Entry {
            Entry(
                photo: photo, time: time, offset: offset, coordinate: coordinate, words: words,
                isBesideHike: coordinate == nil)
        }
        if let problem = photo.problem { return made(nil, problem) }
        guard let time else {
            return made(
                nil,
                photo.strangeTime.map { "the photo's time `\($0)` is invalid" } ?? "the photo has no time")
        }
        let duration = Literal.roundedDuration
        switch timeline.answer(at: time) {
        case .place(let place):
            guard let own = photo.coordinate else {
                return made(
                    place,
                    "recording\(isDoubted ? ", if the camera's clock is right" : "")\(photo.positionWords)")
            }
            let apart = own.distance(to: place)
            let doubt =
                apart > PhotoMatchSettings.farFromRecording
                ? ", \(Literal.inMessage(.metres(apart.rounded()))) from the recording then" : ""
            return made(own, "\(photo.sidecar ?? "photo")\(doubt)")
        case .before(let seconds):
            let words = "\(duration(seconds)) before the hike"
            guard seconds <= PhotoMatchSettings.edge else { return made(nil, words) }
            return made(photo.coordinate ?? timeline.ends.first, "\(words): its start")
        case .after(let seconds):
            let words = "\(duration(seconds)) after the hike"
            guard seconds <= PhotoMatchSettings.edge else { return made(nil, words) }
            return made(photo.coordinate ?? timeline.ends.last, "\(words): its end")
        case .gap(let seconds):
            guard let place = photo.coordinate else {
                return made(nil, "in a gap of \(duration(seconds)) of the recording")
            }
            return made(place, "photo")
        }
    }
}
