import Foundation
import PluginTestKit

/// The `rutter` program built beside this one, run on a workspace.
struct WholeProgram {
    private let path: String
    private let workspace: URL

    /// `nil` if it was not built.
    init?(workspace: URL) {
        path =
            URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("rutter").path
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        self.workspace = workspace
    }

    /// The peak memory of a session after an entry, in bytes. Throws if the entry fails.
    func peakMemory(of entry: String) throws -> Int {
        try SessionMemory.peak(of: entry, program: URL(fileURLWithPath: path), workspace: workspace)
    }
}
