import Foundation
import Testing

@testable import Archives

/// Files of older systems, whose names are Latin-1: each is listed, and none is passed over without a word.
@Suite struct UndecodableNameTests {
    @Test func namesThatAreNoTextAreListed() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("names-\(getpid())")
        let inner = folder.appendingPathComponent("inner", isDirectory: true)
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("<gpx/>".utf8).write(to: folder.appendingPathComponent("ok.gpx"))
        // `café.gpx` in Latin-1.
        let path = (Array(inner.path.utf8) + Array("/caf".utf8) + [0xE9] + Array(".gpx".utf8) + [0]).map {
            CChar(bitPattern: $0)
        }
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        close(descriptor)
        defer { unlink(path) }
        #expect(UndecodableNames.below(folder.path) == ["inner/caf\\xE9.gpx"])
        var walk = SourceWalk([folder], extensions: ["gpx"]) {}
        var found: [String] = []
        while let file = try walk.next() { found.append(file.path) }
        #expect(found == ["\(folder.lastPathComponent)/ok.gpx"])
        let expected = UnreadFile(path: "\(folder.lastPathComponent)/inner/caf\\xE9.gpx", reason: .name)
        #expect(walk.unread == [expected])
    }
}
