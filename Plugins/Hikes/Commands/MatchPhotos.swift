import Foundation
import Pictures
import PluginKit
import TrailStores

/// `photo match`
struct MatchPhotos: CommandProvider {
    let waypoints: ActiveStore<WaypointStore>
    private static let columns = ["file", "time", "zone", "offset", "at", "position", "result"]

    var name: String { "photo match" }

    var command: Command {
        Command(
            name, "match photos with a hike, and add waypoints",
            details: """
                Photos (JPEG, PNG, HEIC) of a folder that were taken during the hike, by EXIF time. The column `zone` is what \
                the time is read with: the offset that the photo has, else `receiver`, the offset from the time of its fix in \
                UTC, else the zone of its position, or of the hike's start, else the session's zone, which is assumed. Without --add it shows what --add would do: a waypoint for \
                each photo, linked to the hike, at the photo's own position, else at that of the recording at its time. A \
                camera's clock is corrected by --offset, else by what fits its photos that have a position near the \
                recording: the column `offset`. Photos that are already stored are not added twice.
                """,
            PhotoOptions.folder, PhotoOptions.hike, PhotoOptions.offset,
            .flag("add", "add the waypoints"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "a photo that is none", "photo match walk.gpx --hike Walk | get result",
                    after: HikeExample.setup,
                    gives: "this is neither a JPEG nor a PNG nor a HEIC")
            ], searchTerms: ["camera", "picture", "exif", "heic", "clock"]
        ) { context, folder, hike, offset, adds in
            let hike = try PhotoOptions.required(hike)
            let photos = try FolderPhoto.all(in: folder, of: hike.hike, context)
            let match = try PhotoMatch(photos, hike, offset: offset)
            let store = adds ? try waypoints.writableStore(context) : try waypoints.storeIfFits(context)
            let results = try Self.results(match, hike.hike, beside: store, context)
            context.tracing?.keep(
                "photos and where they were taken",
                from: .start(
                    [("hike", .text(hike.hike.displayName)), ("photos", .integer(photos.count))],
                    why:
                        "each photo is looked up in the recording, at its time with the offset of its camera's clock"
                ),
                candidates: zip(match.entries, results).map(Self.step),
                to: .end(
                    [("matched", .integer(results.count { $0 == nil }))],
                    why: "every photo has been looked up"))
            let added =
                adds ? try store.map { try Self.add(match, results, hike.hike, to: $0, context) } ?? [] : []
            if let store, !added.isEmpty { PhotoUndo.record(added, in: store, context.journal) }
            return .table(
                columns: Self.columns,
                cells: zip(match.entries, results).map { entry, result in
                    entry.cells + [
                        entry.place == nil ? .nothing : .text(entry.words),
                        .text(result ?? (adds ? "added" : "on the hike")),
                    ]
                })
        }.deciding("photo match walk.gpx --hike Walk", after: HikeExample.setup)
    }

    /// A photo with its camera's clock, and what became of it.
    private static func step(_ entry: PhotoMatch.Entry, _ refusal: String?) -> TraceStep {
        .candidate(
            [
                ("photo", .text(entry.photo.name)), ("camera", .text(entry.photo.camera)),
                ("taken", Value(entry.photo.taken) { .date($0) }),
                ("offset", entry.clock),
                ("at", Value(entry.place?.withoutAltitude) { .coordinate($0) }),
            ], refusal == nil ? .kept : .refused,
            why: refusal ?? "taken during the hike; its position is that of the \(entry.words)")
    }

    /// Why a photo is not added; `nil` for one that is.
    private static func results(
        _ match: PhotoMatch, _ hike: Hike, beside store: WaypointStore?, _ context: Context
    ) throws -> [String?] {
        let hasPhotos = try store?.waypoints(ofHike: hike.id).contains(where: \.hasPhoto) ?? false
        return try match.entries.map { entry in
            try context.checkCancelled()
            guard entry.place != nil else { return entry.words }
            if let twin = entry.photo.twin { return "duplicate of \(twin)" }
            // The same photo is stored as the same bytes.
            guard hasPhotos, let store,
                let photo = try PhotoOptions.stored(entry.photo).photo
            else { return nil }
            return try store.waypoint(ofHike: hike.id, withPhoto: photo).map {
                "duplicate of \($0.label.isEmpty ? $0.shortID : $0.label)"
            }
        }
    }

    /// Adds all waypoints in one transaction, one photo at a time in memory.
    private static func add(
        _ match: PhotoMatch, _ results: [String?], _ hike: Hike, to store: WaypointStore, _ context: Context
    ) throws -> [Waypoint] {
        let nextID = try store.freshIDs(context.random.uuid)
        var wanted: [(waypoint: Waypoint, photo: FolderPhoto)] = []
        // Identifiers are looked up in the store, which the transaction below has for itself.
        for (entry, result) in zip(match.entries, results) where result == nil {
            guard let place = entry.place, let time = entry.time else { continue }
            let name = (entry.photo.name as NSString).lastPathComponent
            let waypoint = Waypoint(
                id: try nextID(), coordinate: place, timestamp: time,
                label: (name as NSString).deletingPathExtension, hasPhoto: true, hikeID: hike.id,
                modifiedAt: context.clock.now)
            wanted.append((waypoint, entry.photo))
        }
        var index = 0
        try store.insertAll(withPhotos: {
            guard index < wanted.count else { return nil }
            try context.checkCancelled()
            context.progress.report("adding photos", done: index, of: wanted.count)
            defer { index += 1 }
            return (wanted[index].waypoint, try PhotoOptions.stored(wanted[index].photo))
        })
        return wanted.map(\.waypoint)
    }
}

/// What the photo commands share.
enum PhotoOptions {
    static let folder = Parameter<URL>.positional("folder", .inputPath, "folder of photos, or a single one")
    static let hike = Parameter<HikeObject?>.option(
        "hike", .reference("hike", to: HikeObject.self), "hike by name or id")
    static let offset = Parameter<Double?>.option(
        "offset", .quantity(.duration, in: -1e10...1e10), "time to add to that of the camera")

    /// The hike, which is given by name because a folder comes first.
    static func required(_ hike: HikeObject?) throws -> HikeObject {
        guard let hike else {
            throw HikeErrors.range("no hike is given", at: .parameter("hike"), fix: "--hike NAME")
        }
        return hike
    }

    /// A photo as it is stored: upright, without metadata. Throws `E-HIKE-PHOTOS`.
    static func stored(_ photo: FolderPhoto) throws -> WaypointPhoto {
        let data = try FolderPhoto.data(of: photo.url)
        do {
            return WaypointPhoto(
                photo: try Photos.uprightJPEG(data), thumbnail: try Photos.thumbnail(data).jpeg)
        } catch {
            throw HikeErrors.photos("\(photo.name): \(error)", at: .parameter("folder"))
        }
    }
}

/// Undoes adding photos.
enum PhotoUndo {
    static func record(_ waypoints: [Waypoint], in store: WaypointStore, _ journal: Journal) {
        journal.record("added \(waypoints.count) photo\(waypoints.count == 1 ? "" : "s")") {
            // Waypoints that were changed since stay, as their own commands leave them.
            for waypoint in waypoints { _ = try store.remove([waypoint], onlyUnchanged: true) }
        }
    }
}
