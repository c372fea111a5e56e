import Foundation
import PluginKit
import Testing

/// The files that a confined session may access. Each test has a folder `inside` that it may use and a file
/// beside it that it may not.
@Suite struct FileAccessTests {
    let root: URL
    let inside: URL
    let access: FileAccess

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-access-\(UUID())")
        inside = root.appendingPathComponent("inside")
        try FileManager.default.createDirectory(
            at: inside.appendingPathComponent("sub"), withIntermediateDirectories: true)
        for path in ["secret.txt", "inside/own.txt", "inside/sub/deep.txt"] {
            try Data("x".utf8).write(to: root.appendingPathComponent(path))
        }
        try Data("x".utf8).write(to: root.appendingPathComponent("inside.txt"))
        let links = [
            ("inside/link.txt", "../secret.txt"), ("inside/up", ".."), ("inside/dangling", "../nowhere"),
            ("inside/good", "sub/deep.txt"), ("inside/loop", "loop"),
        ]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: root.appendingPathComponent(name).path, withDestinationPath: target)
        }
        access = FileAccess(
            searchFolders: [inside], readable: [inside], writable: [inside], outputFolder: inside,
            allowsNetwork: false)
    }

    private func code(_ body: () throws -> URL) -> String {
        defer { try? FileManager.default.removeItem(at: root) }
        do {
            _ = try body()
            return "allowed"
        } catch {
            return (error as? RutterError)?.code ?? "\(error)"
        }
    }

    @Test(
        "reading",
        arguments: [
            ("own.txt", "allowed"), ("sub/../own.txt", "allowed"), ("./sub/deep.txt", "allowed"),
            ("good", "allowed"), ("missing.txt", "E-FILE-MISSING"), ("", "E-FILE-MISSING"),
            ("../secret.txt", "E-FILE-CONFINED"), ("../nothing-there.txt", "E-FILE-CONFINED"),
            ("sub/../../secret.txt", "E-FILE-CONFINED"), ("link.txt", "E-FILE-CONFINED"),
            ("up/secret.txt", "E-FILE-CONFINED"), ("../inside.txt", "E-FILE-CONFINED"),
            ("/etc/passwd", "E-FILE-CONFINED"), ("~", "E-FILE-CONFINED"), ("~/x", "E-FILE-CONFINED"),
            ("dangling", "E-FILE-CONFINED"), ("own.txt\0/../../secret.txt", "E-FILE-MISSING"),
        ])
    func reading(path: String, outcome: String) { #expect(code { try access.input(path) } == outcome) }

    @Test(
        "writing",
        arguments: [
            ("new.txt", "allowed"), ("sub/new/deeper.txt", "allowed"), ("own.txt", "allowed"),
            ("../new.txt", "E-FILE-CONFINED"), ("up/new.txt", "E-FILE-CONFINED"),
            ("link.txt", "E-FILE-CONFINED"), ("dangling", "E-FILE-CONFINED"),
            ("dangling/new.txt", "E-FILE-CONFINED"), ("loop", "E-FILE-CONFINED"),
            ("/tmp/new.txt", "E-FILE-CONFINED"), ("~/new.txt", "E-FILE-CONFINED"),
            ("../inside2/new.txt", "E-FILE-CONFINED"),
        ])
    func writing(path: String, outcome: String) { #expect(code { try access.output(path) } == outcome) }

    @Test("absolute paths below an allowed folder are allowed")
    func absolute() {
        #expect(code { try access.input(inside.appendingPathComponent("own.txt").path) } == "allowed")
    }

    @Test("a file beside a missing one with nearly its name is suggested, unless it may not be read")
    func nearestName() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        func suggestion(_ path: String) -> String? {
            do {
                _ = try access.input(path)
                return "found"
            } catch { return (error as? RutterError)?.suggestion }
        }
        #expect(suggestion("onw.txt") == "own.txt")
        #expect(suggestion("sub/deap.txt") == "sub/deep.txt")
        #expect(suggestion("OWN.txt") == "own.txt")
        #expect(suggestion("elsewhere.gpx") == nil)
        // `link.txt` leads out of the folder.
        #expect(suggestion("limk.txt") == nil)
    }
}
