import Core
import Foundation
import PluginTestKit
import Testing

@testable import Archives

/// Archives as people have them: names in several encodings, files of operating systems, archives in archives.
@Suite(.needs(.archive))
struct ArchiveTests {
    private func paths(_ zip: StoredZip) throws -> [String] {
        let reader = try ArchiveReader(SourceBytes(zip.bytes, name: "a.zip"))
        var paths: [String] = []
        while let entry = try reader.next() { paths.append(entry.path) }
        return paths
    }

    @Test func namesInAnyEncoding() throws {
        let zip = StoredZip([
            .init("Höhenweg 山.gpx", "1".utf8), .init("Höhenweg 2.gpx", "1".utf8, flags: 0),
            // ä and é in code page 437.
            .init(name: [0x84, 0x82, 0x2E, 0x67], Array("1".utf8)),
        ])
        #expect(try paths(zip) == ["Höhenweg 山.gpx", "Höhenweg 2.gpx", "äé.g"])
    }

    @Test func filesOfOperatingSystemsAreSkipped() throws {
        let names = [
            "__MACOSX/._a.gpx", "a/._b.gpx", "a/.DS_Store", "a/Thumbs.db", "desktop.ini", "a/b.gpx", ".c",
        ]
        #expect(try paths(StoredZip(names.map { .init($0, "x".utf8) })) == ["a/b.gpx", ".c"])
        // Even those that would be refused.
        let link = StoredZip([.init("__MACOSX/._l", "x".utf8, mode: 0o120777), .init("a", "x".utf8)])
        #expect(try paths(link) == ["a"])
    }

    @Test func whatIsWrittenIsRead() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [("a.txt", "first"), ("ü.txt", "second")] {
            try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
        }
        let data = try ArchiveWriter.zip(folder.url, files: ["a.txt", "ü.txt"], modified: 1_770_364_800)
        #expect(
            try ArchiveWriter.zip(folder.url, files: ["a.txt", "ü.txt"], modified: 1_770_364_800) == data)
        let out = folder.url.appendingPathComponent("out")
        let source = SourceBytes([UInt8](data), name: "a.zip")
        #expect(try ArchiveReader(source).unpack(into: out) == ["a.txt", "ü.txt"])
        #expect(try String(contentsOf: out.appendingPathComponent("ü.txt"), encoding: .utf8) == "second")
        let changed =
            try FileManager.default.attributesOfItem(atPath: out.path + "/a.txt")[.modificationDate] as? Date
        #expect(changed?.timeIntervalSince1970 == 1_770_364_800)
    }

    // MARK: Walks

    private func walk(_ urls: [URL], limits: ArchiveLimits = .standard) throws -> [String] {
        var walk = SourceWalk(
            urls, extensions: ["gpx", "fit"], limits: limits,
            recognises: { (try? $0.bytes(at: 0, count: 5)) == Array("KNOWN".utf8) }
        ) {}
        var found: [String] = []
        while let file = try walk.next() {
            switch file.content {
            case .success(let source):
                found.append("\(file.path) = \(String(decoding: try source.all(), as: UTF8.self))")
            case .failure(let error): found.append("\(file.path): \(error.code)")
            }
        }
        return found + walk.unread.map { "\($0.path): \($0.reason.words)" }
    }

    @Test func aWalkThroughFoldersAndArchives() throws {
        let folder = try TemporaryFolder()
        let inner = StoredZip([.init("deep.fit", "4".utf8), .init("photo.jpg", "-".utf8)])
        let outer = StoredZip([
            .init("1.gpx", "1".utf8), .init("../2.gpx", "2".utf8), .init("notes.txt", "-".utf8),
            .init("may/in.zip", inner.bytes), .init("__MACOSX/._1.gpx", "-".utf8), .init("3.GPX", "3".utf8),
        ])
        let tour = folder.url.appendingPathComponent("tour")
        try FileManager.default.createDirectory(at: tour, withIntermediateDirectories: true)
        try Data(outer.bytes).write(to: tour.appendingPathComponent("b.zip"))
        try Data(outer.bytes.prefix(40)).write(to: tour.appendingPathComponent("c.zip"))
        for name in ["a.gpx", "._a.gpx", "d.txt", "e.fit"] {
            try Data(name.utf8).write(to: tour.appendingPathComponent(name))
        }
        try FileManager.default.createSymbolicLink(
            atPath: tour.appendingPathComponent("f.gpx").path, withDestinationPath: "a.gpx")
        #expect(
            try walk([tour, tour.appendingPathComponent("d.txt")]) == [
                "tour/a.gpx = a.gpx", "tour/b.zip/1.gpx = 1", "tour/b.zip/../2.gpx: E-ARCHIVE-ENTRY",
                "tour/b.zip/may/in.zip/deep.fit = 4", "tour/b.zip/3.GPX = 3", "tour/c.zip/1.gpx = 1",
                "tour/c.zip: E-ARCHIVE-FORMAT",
                "tour/e.fit = e.fit", "d.txt = d.txt",
                "tour/b.zip/notes.txt: of no known kind",
                "tour/b.zip/may/in.zip/photo.jpg: of no known kind", "tour/d.txt: of no known kind",
                "tour/f.gpx: a link or device is not followed",
            ])
    }

    /// Names say nothing: what is read is decided by the first bytes, and an office document is no folder.
    @Test func filesAreKnownByTheirContent() throws {
        let folder = try TemporaryFolder()
        let long = "KNOWN" + String(repeating: "x", count: 10_000)
        let document = StoredZip([.init("[Content_Types].xml", "x".utf8), .init("word/a.gpx", "x".utf8)])
        let zip = StoredZip([
            .init("data.bin", long.utf8), .init("other.bin", "x".utf8), .init("letter.docx", document.bytes),
        ])
        let tour = folder.url.appendingPathComponent("tour")
        try FileManager.default.createDirectory(at: tour, withIntermediateDirectories: true)
        try Data(zip.bytes).write(to: tour.appendingPathComponent("archive"))
        try Data("KNOWN".utf8).write(to: tour.appendingPathComponent("plain"))
        #expect(
            try walk([tour]) == [
                "tour/archive/data.bin = \(long)", "tour/plain = KNOWN",
                "tour/archive/other.bin: of no known kind", "tour/archive/letter.docx: of no known kind",
            ])
    }

    /// A folder on the way that became a link does not lead out of the folder that was given.
    @Test func aWalkStaysInItsFolder() throws {
        let folder = try TemporaryFolder()
        for name in ["tour", "outside"] {
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        let outside = folder.url.appendingPathComponent("outside/a.gpx")
        try Data("x".utf8).write(to: outside)
        let tour = folder.url.appendingPathComponent("tour")
        try FileManager.default.createSymbolicLink(
            atPath: tour.appendingPathComponent("in").path, withDestinationPath: "../outside")
        #expect(try SourceBytes(tour.appendingPathComponent("in/a.gpx"), in: tour) == nil)
        #expect(try SourceBytes(outside, in: folder.url) != nil)
        #expect(try walk([tour]) == ["tour/in: a link or device is not followed"])
    }

    @Test func compressedFiles() throws {
        let folder = try TemporaryFolder()
        try Data("walk".utf8).write(to: folder.url.appendingPathComponent("walk.fit"))
        for command in [
            ["gzip", "-k", "walk.fit"], ["bzip2", "-k", "walk.fit"],
            ["tar", "czf", "all.tgz", "walk.fit", "walk.fit.gz"],
        ] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            process.currentDirectoryURL = folder.url
            try process.run()
            process.waitUntilExit()
        }
        #expect(
            try walk([
                folder.url.appendingPathComponent("all.tgz"),
                folder.url.appendingPathComponent("walk.fit.gz"),
                folder.url.appendingPathComponent("walk.fit.bz2"),
            ])
                == [
                    "all.tgz/walk.fit = walk", "all.tgz/walk.fit.gz = walk", "walk.fit.gz = walk",
                    "walk.fit.bz2 = walk",
                ])
        var walk = SourceWalk([folder.url.appendingPathComponent("walk.fit.gz")], extensions: []) {}
        #expect(try walk.next()?.stem == "walk")
    }

    @Test func archivesInArchivesEnd() throws {
        let folder = try TemporaryFolder()
        var bytes = StoredZip([.init("a.gpx", "x".utf8)]).bytes
        for _ in 0..<5 { bytes = StoredZip([.init("in.zip", bytes)]).bytes }
        try Data(bytes).write(to: folder.url.appendingPathComponent("out.zip"))
        let found = try walk([folder.url.appendingPathComponent("out.zip")])
        #expect(found == ["out.zip/in.zip/in.zip/in.zip/in.zip: E-ARCHIVE-LIMIT"])
    }

    @Test func aMissingPath() throws {
        #expect(throws: RutterError.self) { _ = try walk([URL(fileURLWithPath: "/nowhere/a.gpx")]) }
    }
}
