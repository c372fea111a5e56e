import Core
import Foundation
import PluginTestKit
import Testing

@testable import Archives

/// Archives that were made to do harm, or damaged on the way: one typed error each, with the place, and nothing outside
/// the folder.
@Suite(.needs(.archive))
struct HostileArchiveTests {
    private let folder: TemporaryFolder
    private var target: URL { folder.url.appendingPathComponent("out") }

    init() throws { folder = try TemporaryFolder() }

    private func unpack(
        _ bytes: [UInt8], as formats: ArchiveFormats = .zip, limits: ArchiveLimits = .standard
    ) -> RutterError? {
        do {
            _ = try ArchiveReader(SourceBytes(bytes, name: "a.zip"), as: formats, limits: limits).unpack(
                into: target)
            return nil
        } catch {
            return error as? RutterError ?? CommonErrors.fileAccess("untyped: \(error)")
        }
    }

    /// Everything below the temporary folder.
    private func written() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func packed(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = folder.url
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var mode: UInt32 = 0o100644
        var flags: UInt32 = 0x0800
        var words: String
        var testDescription: String { name.debugDescription }
    }

    @Test(arguments: [
        Case(name: "../b.txt", words: "leads outside"), Case(name: "/etc/b.txt", words: "leads outside"),
        Case(name: "a/../../b.txt", words: "leads outside"), Case(name: "..\\b.txt", words: "leads outside"),
        Case(name: "C:\\b.txt", words: "leads outside"), Case(name: "..", words: "leads outside"),
        Case(name: "../evil/", mode: 0o040755, words: "leads outside"),
        Case(name: "b\u{1B}[2J.txt", words: "control characters"),
        Case(name: "b\nc.txt", words: "control characters"),
        Case(name: "b\u{85}c.txt", words: "control characters"),
        Case(name: "link", mode: 0o120777, words: "is a link"),
        Case(name: "secret.txt", flags: 0x0801, words: "is encrypted"), Case(name: "", words: "has no name"),
    ])
    func anEntryThatIsNotAllowed(_ entry: Case) throws {
        let zip = StoredZip([
            .init("good.txt", "x".utf8),
            .init(entry.name, "/etc/passwd".utf8, mode: entry.mode, flags: entry.flags),
        ])
        let error = try #require(unpack(zip.bytes))
        #expect(error.code == "E-ARCHIVE-ENTRY")
        #expect(error.message.contains(entry.words), "\(error.message)")
        #expect(
            error.place
                == .file(path: "a.zip/\(entry.name.replacing("\\", with: "/"))", line: nil, column: nil))
        #expect(try written() == ["out", "out/good.txt"])
    }

    @Test func aRepeatedName() throws {
        let error = unpack(StoredZip([.init("a.txt", "1".utf8), .init("a.txt", "2".utf8)]).bytes)
        #expect(error?.code == "E-ARCHIVE-ENTRY")
        #expect(error?.message == "a.zip: the entry `a.txt` is in the archive twice")
        #expect(try Data(contentsOf: target.appendingPathComponent("a.txt")) == Data("1".utf8))
    }

    /// A reader can go on after an entry with a fault.
    @Test func theRestIsReadable() throws {
        let zip = StoredZip([.init("../a", "1".utf8), .init("b", "2".utf8)])
        let reader = try ArchiveReader(SourceBytes(zip.bytes, name: "a.zip"))
        #expect(try reader.next()?.fault == .outside)
        #expect(throws: RutterError.self) { _ = try reader.bytes() }
        #expect(try reader.next()?.path == "b")
        #expect(try reader.bytes() == Array("2".utf8))
        #expect(try reader.next() == nil)
    }

    /// What a link of an archive leads to is not written through, even if it exists already.
    @Test func aLinkOnDisk() throws {
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: target.appendingPathComponent("a.txt").path, withDestinationPath: "../outside.txt")
        #expect(unpack(StoredZip([.init("a.txt", "x".utf8)]).bytes)?.code == "E-FILE-ACCESS")
        #expect(try written() == ["out", "out/a.txt"])
    }

    // MARK: Limits

    @Test func tooManyEntries() {
        let zip = StoredZip((0..<4).map { .init("\($0)", "x".utf8) })
        #expect(unpack(zip.bytes, limits: ArchiveLimits(entries: 3))?.code == "E-ARCHIVE-LIMIT")
    }

    @Test func tooManyBytes() {
        let zip = StoredZip([
            .init("a", Array(repeating: 1, count: 600)), .init("b", Array(repeating: 1, count: 600)),
        ])
        #expect(unpack(zip.bytes, limits: ArchiveLimits(bytes: 1_000))?.code == "E-ARCHIVE-LIMIT")
        #expect(unpack(zip.bytes, limits: ArchiveLimits(entryBytes: 599))?.code == "E-ARCHIVE-LIMIT")
    }

    /// A compressed file that states no size, and an archive in one that does.
    @Test func bombsByRatio() throws {
        try Data(repeating: 7, count: 8 << 20).write(to: folder.url.appendingPathComponent("zeros"))
        try packed("gzip", ["-k", "zeros"])
        try packed("tar", ["czf", "zeros.tgz", "zeros"])
        try packed("python3", ["-m", "zipfile", "-c", "zeros.zip", "zeros"])
        let limits = ArchiveLimits(freeBytes: 1 << 20)
        for name in ["zeros.gz", "zeros.tgz", "zeros.zip"] {
            try? FileManager.default.removeItem(at: target)
            let bytes = try bytes(of: name)
            let error = unpack(bytes, as: [.zip, .compressed, .tar, .single], limits: limits)
            #expect(error?.code == "E-ARCHIVE-LIMIT", "\(name)")
            #expect(error?.message.contains("ZIP bomb") == true)
            let left = try? Data(contentsOf: target.appendingPathComponent("zeros")).count
            #expect(left ?? 0 <= bytes.count * 200 + ArchiveReader.piece, "\(name)")
        }
        // The same bytes are within the standard limits.
        #expect(unpack(try bytes(of: "zeros.zip")) == nil)
    }

    /// A size that is not the true one does not help.
    @Test func aWrongSize() {
        let zip = StoredZip([.init("a", Array(repeating: 7, count: 5_000))], declared: 5)
        #expect(unpack(zip.bytes) != nil)
    }

    // MARK: Damage

    @Test func cutArchives() throws {
        let whole = StoredZip([.init("a", Array(repeating: 7, count: 5_000)), .init("b", "x".utf8)]).bytes
        for count in [5, 40, 2_000, 5_040, whole.count - 30] {
            let error = try #require(unpack(Array(whole[..<count])), "\(count)")
            #expect(error.code == "E-ARCHIVE-FORMAT", "\(count)")
            #expect(error.message == "a.zip is cut off: the directory at its end is missing", "\(count)")
        }
        for count in 0..<whole.count where count % 97 == 0 {
            #expect(unpack(Array(whole[..<count]))?.code == "E-ARCHIVE-FORMAT")
        }
        try Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }).write(
            to: folder.url.appendingPathComponent("noise"))
        try packed("tar", ["czf", "noise.tgz", "noise"])
        let gzip = try bytes(of: "noise.tgz")
        #expect(
            unpack(Array(gzip[..<(gzip.count / 2)]), as: [.compressed, .tar])?.code == "E-ARCHIVE-FORMAT")
    }

    @Test func notAnArchive() {
        for text in ["", "hello", "PK", String(repeating: "x", count: 70_000)] {
            #expect(unpack(Array(text.utf8))?.code == "E-ARCHIVE-FORMAT")
        }
        #expect(errorCode { _ = try SourceBytes(URL(fileURLWithPath: "/nowhere/a.zip")) } == "E-FILE-MISSING")
        #expect(errorCode { _ = try SourceBytes(URL(fileURLWithPath: "/dev/null")) } == "E-FILE-ACCESS")
        #expect(errorCode { _ = try SourceBytes(URL(fileURLWithPath: "/tmp")) } == "E-FILE-ACCESS")
    }

    private func errorCode(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? RutterError)?.code }
        return nil
    }

    @Test(
        .enabled(if: RealData.has("malformed/zip"), "needs the folder of real data"),
        arguments: RealData.files(in: "malformed/zip"))
    func collectedArchives(_ file: URL) throws {
        // Some are sound archives that only some programs reject.
        do {
            _ = try ArchiveReader(SourceBytes(file)).unpack(into: target)
        } catch let error as RutterError {
            #expect(error.code.hasPrefix("E-ARCHIVE-") || error.code == "E-FILE-ACCESS", "\(error)")
        }
        #expect(try written().allSatisfy { $0.hasPrefix("out") })
    }
}
