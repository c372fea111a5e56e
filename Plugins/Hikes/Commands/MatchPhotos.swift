import Foundation
import Photos
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
                Finds photos (JPEG, PNG, HEIC) in a folder that were taken during the hike, by EXIF time. The column `zone` is \
                the source of the time zone: the photo's offset, or else `receiver`, the offset from the time of its fix in \
                UTC, or else the zone of its position, or of the hike's start, or else the session's zone, which is assumed. \
                Without --add it shows what --add would do: add a waypoint for \
                each photo, linked to the hike, at the photo's own position, or else at that of the recording at its time. A \
                camera's clock is corrected by --offset, or else by the offset that fits several of its photos with a position near \
                the recording, or one with the receiver's time: the column `offset`. What a single position says is only proposed. \
                Photos already stored are not added twice.
                """,
            PhotoOptions.folder, PhotoOptions.hike, PhotoOptions.offset,
            .flag("add", "add the waypoints"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "not a photo", "photo match walk.gpx --hike Walk | get result",
                    after: HikeExample.setup,
                    gives: "not a JPEG, PNG or HEIC image")
            ],
            searchTerms: [
                "photos of a hike", "which photos belong to a hike", "where was the picture taken",
                "photos on the map", "place photos", "where was the photo taken", "camera", "picture", "exif",
                "heic", "clock", "photos", "pictures of a hike", "pictures by time",
                "where were the pictures taken",
            ]
        ) { context, folder, hike, offset, adds in
            let photos = try FolderPhoto.all(in: folder, of: hike.hike, context)
            let match = try PhotoMatch(photos, hike, offset: offset)
            let store = adds ? try waypoints.writableStore(context) : try waypoints.storeIfFits(context)
            let refusals = try Self.refusals(match, hike.hike, beside: store, context)
            context.tracing?.keep(
                "photos and their positions",
                from: .start(
                    [("hike", .text(hike.hike.displayName)), ("photos", .integer(photos.count))],
                    why:
                        "each photo is looked up in the recording, at its time with the offset of its camera's clock"
                ),
                candidates: zip(match.entries, refusals).map(Self.step),
                to: .end(
                    [("matched", .integer(refusals.count { $0 == nil }))],
                    why: "all photos are looked up"))
            let added =
                adds ? try store.map { try Self.add(match, refusals, hike.hike, to: $0, context) } ?? [] : []
            if let store, !added.isEmpty { PhotoUndo.record(added, in: store, context.journal) }
            let account = match.account(of: folder.lastPathComponent, refusals)
            if adds { context.keep([account], by: name) }
            return .table(
                account, remark: match.clocks, columns: Self.columns,
                cells: zip(match.entries, refusals).map { entry, refusal in
                    entry.cells + [
                        entry.coordinate == nil ? .nothing : .text(entry.words),
                        .text(refusal?.words(entry) ?? (adds ? "added" : "on the hike")),
                    ]
                })
        }.deciding("photo match walk.gpx --hike Walk", after: HikeExample.setup)
    }

    /// A photo with its camera's clock, and the result.
    private static func step(_ entry: PhotoMatch.Entry, _ refusal: PhotoMatch.Refusal?) -> TraceStep {
        .candidate(
            [
                ("photo", .text(entry.photo.name)), ("camera", .text(entry.photo.camera)),
                ("taken", Value(entry.photo.taken) { .date($0) }),
                ("offset", entry.clock),
                ("at", Value(entry.coordinate?.withoutAltitude) { .coordinate($0) }),
            ], refusal == nil ? .kept : .refused,
            why: refusal?.words(entry) ?? "taken during the hike; its position is that of the \(entry.words)")
    }

    /// Why a photo is not added; `nil` for one that is.
    private static func refusals(
        _ match: PhotoMatch, _ hike: Hike, beside store: WaypointStore?, _ context: Context
    ) throws -> [PhotoMatch.Refusal?] {
        let hasPhotos = try store?.waypoints(ofHike: hike.id).contains(where: \.hasPhoto) ?? false
        return try match.entries.map { entry in
            try context.checkCancelled()
            guard entry.coordinate != nil else { return .unmatched }
            if let twin = entry.photo.twin { return .duplicate(of: twin) }
            // Equal photos are stored as equal bytes.
            guard hasPhotos, let store,
                let photo = try PhotoOptions.stored(entry.photo).photo
            else { return nil }
            return try store.waypoint(ofHike: hike.id, withPhoto: photo).map {
                .duplicate(of: $0.label.isEmpty ? $0.shortID : $0.label)
            }
        }
    }

    /// Adds all waypoints in one transaction, with one photo at a time in memory.
    private static func add(
        _ match: PhotoMatch, _ refusals: [PhotoMatch.Refusal?], _ hike: Hike, to store: WaypointStore,
        _ context: Context
    ) throws -> [Waypoint] {
        let nextID = try store.freshIDs(context.random.uuid)
        var wanted: [(waypoint: Waypoint, photo: FolderPhoto)] = []
        // Identifiers are looked up before the transaction below, which locks the store.
        for (entry, refusal) in zip(match.entries, refusals) where refusal == nil {
            guard let place = entry.coordinate, let time = entry.time else { continue }
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

/// Parameters and helpers shared by the photo commands.
enum PhotoOptions {
    static let folder = Parameter<URL>.positional("folder", .inputPath, "folder of photos, or a single one")
    static let hike = Parameter<HikeObject>.requiredOption(
        "hike", .reference("hike", to: HikeObject.self), "hike by name or id")
    static let offset = Parameter<Double?>.option(
        "offset", .quantity(.duration, in: -1e10...1e10), "time to add to the camera's")

    /// A photo in its stored form: upright, without metadata. Throws `E-HIKE-PHOTOS`.
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
        journal.record("added \(waypoints.count, of: "photo")") {
            // Waypoints changed since are kept, as by their own commands.
            for waypoint in waypoints { _ = try store.remove([waypoint], onlyUnchanged: true) }
        }
    }
}
