import Core
import Foundation
import PluginTestKit
import Testing

/// Files get their names atomically, and every failure is reported with its reason.
struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String? = nil) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        if let text { try Data(text.utf8).write(to: url) }
        return url
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    private func failure(_ body: () throws -> Void) throws -> RutterError {
        try #require(throws: RutterError.self, performing: body)
    }

    @Test func aFileReplacesAnother() throws {
        let (made, target) = (try file("part", "new"), try file("store", "old"))
        try AtomicFile.publish(made, as: target, policy: .replace)
        #expect(try String(contentsOf: target, encoding: .utf8) == "new")
        #expect(try names == ["store"])
    }

    @Test func anExistingFileIsKept() throws {
        let (made, target) = (try file("part", "new"), try file("store", "old"))
        let error = try failure {
            try AtomicFile.publish(made, as: target, policy: .exclusive(), at: .parameter("into"))
        }
        #expect(error.code == "E-FILE-EXISTS")
        #expect(error.message == "store already exists")
        #expect(error.place == .parameter("into"))
        #expect(error.fix?.contains("another name") == true)
        #expect(try String(contentsOf: target, encoding: .utf8) == "old")
        #expect(try names == ["part", "store"])
    }

    @Test func aNewFileAndAFolderGetTheirNames() throws {
        try AtomicFile.publish(try file("part", "new"), as: try file("store"), policy: .exclusive())
        let made = folder.url.appendingPathComponent("parts")
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: false)
        try AtomicFile.publish(made, as: try file("stores"), policy: .exclusive())
        #expect(try names == ["store", "stores"])
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: false)
        let error = try failure {
            try AtomicFile.publish(made, as: try file("stores"), policy: .exclusive())
        }
        #expect(error.code == "E-FILE-EXISTS")
    }

    @Test func aMissingTemporaryFileIsReported() throws {
        let error = try failure {
            try AtomicFile.publish(try file("part"), as: try file("store"), policy: .replace)
        }
        #expect(error.code == "E-FILE-ACCESS")
        #expect(error.message == "store cannot be written: No such file or directory")
    }

    /// The data of a device cannot be synced, so the file does not get its name.
    @Test(arguments: [AtomicFile.Policy.replace, .exclusive()])
    func aFailedSyncIsReported(policy: AtomicFile.Policy) throws {
        let made = folder.url.appendingPathComponent("part")
        try FileManager.default.createSymbolicLink(
            at: made, withDestinationURL: URL(fileURLWithPath: "/dev/zero"))
        let error = try failure { try AtomicFile.publish(made, as: try file("store"), policy: policy) }
        #expect(error.code == "E-FILE-ACCESS")
        #expect(error.message == "store cannot be written: Invalid argument")
        #expect(try names == ["part"])
    }

    @Test(arguments: [AtomicFile.Policy.replace, .exclusive()])
    func aFolderThatTakesNoFilesIsReported(policy: AtomicFile.Policy) throws {
        let made = try file("part", "new")
        let error = try failure {
            try AtomicFile.publish(made, as: URL(fileURLWithPath: "/proc/store"), policy: policy)
        }
        #expect(error.code == "E-FILE-ACCESS")
        #expect(error.message.hasPrefix("store cannot be written: "))
        #expect(try names == ["part"])
        #expect(throws: RutterError.self) {
            try AtomicFile.replace(
                URL(fileURLWithPath: "/proc/store"), with: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}
