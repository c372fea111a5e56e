import Core
import Foundation
import PluginTestKit
import Testing

/// Files that appear together, or not at all.
struct StagedFolderTests {
    private func contents(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func filesAppearTogether() throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.url.appendingPathComponent("out")
        let files = try StagedFolder(folder, names: ["a", "b"], force: false)
        try files.add("a", Data([1]))
        try files.add("b", Data([2]))
        #expect(try contents(folder).allSatisfy { $0.hasPrefix(".rutter-") })
        try files.finish()
        #expect(try Data(contentsOf: folder.appendingPathComponent("b")) == Data([2]))
        #expect(throws: RutterError.self) { try StagedFolder(folder, names: ["c", "b"], force: false) }
    }

    /// A file that another program makes meanwhile keeps its name and its bytes, and the others do not appear.
    @Test func aNameThatIsTakenMeanwhileLeavesNoneOfThem() throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.url.appendingPathComponent("out")
        do {
            let files = try StagedFolder(folder, names: ["a", "b"], force: false)
            try files.add("a", Data([1]))
            try files.add("b", Data([2]))
            try Data([3]).write(to: folder.appendingPathComponent("b"))
            #expect(throws: RutterError.self) { try files.finish() }
        }
        #expect(try contents(folder) == ["b"])
        #expect(try Data(contentsOf: folder.appendingPathComponent("b")) == Data([3]))
    }

    @Test func whatIsGivenUpLeavesNoFolder() throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.url.appendingPathComponent("out")
        do {
            let files = try StagedFolder(folder, names: ["a"], force: false)
            try files.add("a", Data([1]))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
}
