import Foundation
import Photos
import Pictures
import PluginKit
import TrailStores

/// `photo geotag`
struct GeotagPhotos: CommandProvider {
    private static let columns = ["file", "time", "zone", "offset", "at", "result"]

    var name: String { "photo geotag" }

    var command: Command {
        Command(
            name, "write copies of photos with their positions",
            details: """
                Writes a copy of each photo taken during the hike into the folder --out, with the position of the \
                recording at its time in its EXIF data. Pixels and other EXIF data are kept. Photos that already have a position, \
                readable or not, and HEIC files, which cannot be written, are skipped. Times and --offset as in `photo match`; a clock \
                that other photos correct is written with --correct only. All \
                copies are written, or none.
                """,
            PhotoOptions.folder, PhotoOptions.hike, PhotoOptions.offset,
            .requiredOption("out", .outputFile, "folder to write the copies to"),
            .flag("correct", "also write photos whose camera's clock other photos correct"),
            .flag("force", "overwrite existing files"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "not a photo", "photo geotag walk.gpx --hike Walk --out tagged | get result",
                    after: HikeExample.setup,
                    gives: "not a JPEG, PNG or HEIC image")
            ],
            searchTerms: [
                "write coordinates into photos", "jpeg",
                "location of a photo", "where was the picture taken", "gps in photos",
                "position of a picture",
                "add gps to photos", "add coordinates to photos", "where was it taken",
                "gps", "exif", "camera", "position", "where was a photo taken", "gps of photos", "tag photos",
                "write gps into a picture",
            ]
        ) { context, folder, hike, offset, out, corrects, force in
            let match = try PhotoMatch(
                FolderPhoto.all(in: folder, of: hike.hike, context), hike, offset: offset)
            let refusals = match.entries.map { Self.refusal($0, corrects: corrects) }
            let wanted = zip(match.entries, refusals).filter { $0.1 == nil }.map(\.0)
            try Self.write(wanted, to: out, force: force, context)
            return .table(
                match.account(of: folder.lastPathComponent, refusals), remark: match.clocks,
                columns: Self.columns,
                cells: zip(match.entries, refusals).map { entry, refusal in
                    entry.cells + [.text(refusal?.words(entry) ?? "written")]
                })
        }
    }

    /// Why no copy is written; `nil` for a photo with a copy.
    private static func refusal(_ entry: PhotoMatch.Entry, corrects: Bool) -> PhotoMatch.Refusal? {
        if let problem = entry.photo.problem { return .reason(problem) }
        if entry.photo.coordinate != nil { return .reason("it already has a position") }
        if entry.photo.positionFault == .unreadable {
            return .reason("it has a position that cannot be read, which is not overwritten")
        }
        guard entry.coordinate != nil else { return .unmatched }
        // What is written into files is confirmed: a wrong correction would stay in them.
        if let finding = entry.clockFinding, finding.offset.rounded() != 0 {
            guard finding.isProved else { return .reason("its camera's clock is doubted: --offset decides") }
            if !corrects {
                return .reason("its camera's clock is corrected: --correct writes it at this position")
            }
        }
        return entry.photo.kind == .heic ? .reason("HEIC files cannot be written") : nil
    }

    /// Writes all copies, or none.
    private static func write(
        _ entries: [PhotoMatch.Entry], to folder: URL, force: Bool, _ context: Context
    ) throws {
        guard !entries.isEmpty else { return }
        let names = entries.map { ($0.photo.name as NSString).lastPathComponent }
        if let twice = Dictionary(grouping: names, by: { $0 }).filter({ $0.value.count > 1 }).keys.min() {
            throw HikeErrors.photos(
                "two photos are named \(twice): the copies share a folder", at: .parameter("folder"))
        }
        let files = try StagedFolder(folder, names: names, force: force)
        for (index, (entry, name)) in zip(entries, names).enumerated() {
            try context.checkCancelled()
            context.progress.report("writing photos", done: index, of: entries.count)
            guard let place = entry.coordinate else { continue }
            let data = try FolderPhoto.data(of: entry.photo.url)
            do {
                try files.add(name, try Photos.geotagged(data, at: place, time: entry.time))
            } catch let error as PhotoError {
                throw HikeErrors.photos("\(entry.photo.name): \(error)", at: .parameter("folder"))
            }
        }
        try files.finish()
    }
}
