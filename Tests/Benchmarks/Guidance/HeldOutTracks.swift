import Foundation

/// Tracks that were not used to tune settings: the marked trails of map extracts, each from end to end,
/// written as GPX files.
struct HeldOutTracks {
    static let extracts = ["liechtenstein-2021", "andorra-2021", "heidelberg"]

    /// Writes the trails to a folder; those whose ways are not connected are skipped.
    static func write(to folder: URL, by program: RutterProgram) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for extract in extracts {
            try program.importRegion(extract)
            let trails = try program.run(["trail list --region \(extract) | each id"]) ?? []
            for trail in trails {
                let file = folder.appendingPathComponent("\(extract)-\(trail).gpx").path
                _ = try program.run([
                    "let r = route along \(trail) --region \(extract)",
                    "$r | get coordinates | save '\(file)'",
                ])
            }
        }
    }
}
