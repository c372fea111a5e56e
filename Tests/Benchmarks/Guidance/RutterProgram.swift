import Foundation

/// The `rutter` program, for the features of other plugins: planning routes, reading regions.
struct RutterProgram {
    let url: URL
    /// A temporary folder with the workspace of its sessions.
    let folder: URL

    init(_ url: URL) throws {
        self.url = url
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("guidance-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Deletes the folder.
    func clear() throws { try FileManager.default.removeItem(at: folder) }

    /// The lines that entries print in a new session; prints the reason and returns `nil` if one of them
    /// fails.
    func run(_ entries: [String]) throws -> [String]? {
        let process = Process()
        let output = Pipe()
        process.executableURL = url
        process.arguments =
            ["prompt", "--workspace", folder.appendingPathComponent("ws").path, "--seed", "1"]
            + entries.flatMap { ["-c", $0] }
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Imports an extract of the folder of real data as a region of the same name.
    func importRegion(_ name: String) throws {
        let file = RecordedRoutes.data.appendingPathComponent("osm/\(name).osm.pbf").path
        guard try run(["region import '\(file)' --name \(name) | get edges"]) != nil else {
            throw BenchmarkError(description: "\(file) cannot be imported by \(url.path)")
        }
    }
}

/// The reason why nothing can be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}
