import Foundation
import PluginKit
import Testing

@testable import Workbench

@Suite("Opening and saving files")
struct FileTests {
    @Test("each extension has its format", arguments: DataFormat.allCases)
    func extensions(_ format: DataFormat) async throws {
        let data = try DataSession()
        let name = "x." + format.fileExtension
        let answer = await data.run("[42.5,1.5 42.6,1.6] | save \(name)")
        #expect(answer.hasSuffix("bytes written to \(name)"))
        let text = try data.file(name)
        #expect(text.hasSuffix(format.lineEnd))
        let written = await data.run("[42.5,1.5 42.6,1.6] | to \(format.rawValue)")
        #expect(text.replacing("\r\n", with: "\n") == written.replacing("\r\n", with: "\n") + "\n")
    }

    @Test("text is written as it is")
    func text() async throws {
        let data = try DataSession()
        #expect(await data.run("'é' | save x.bin") == "2 bytes written to x.bin")
        #expect(try data.file("x.bin") == "é")
        #expect(await data.run("open x.bin") == "é")
    }

    @Test("an existing file stays unless --force")
    func existing() async throws {
        let data = try DataSession(files: ["a.txt": "old"])
        #expect(await data.code("'new' | save a.txt") == "E-FILE-EXISTS")
        #expect(try data.file("a.txt") == "old")
        _ = await data.run("'new' | save a.txt --force")
        #expect(try data.file("a.txt") == "new")
    }

    @Test("a pipe, as any device, is never replaced by a file")
    func devices() async throws {
        let data = try DataSession()
        let pipe = data.folder.appendingPathComponent("pipe.json").path
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(await data.code("[1] | save pipe.json --force") == "E-FILE-ACCESS")
        var info = stat()
        #expect(stat(pipe, &info) == 0 && info.st_mode & S_IFMT == S_IFIFO)
        #expect(data.fileNames == ["pipe.json"])
    }

    @Test("a failure in the middle leaves nothing behind, and the old file whole")
    func atomic() async throws {
        let data = try DataSession(files: ["old.csv": "old", "bad.csv": "a,b\n1,2\n3\n"])
        #expect(await data.code("open bad.csv | save new.csv") == "E-DATA-CSV")
        #expect(await data.code("open bad.csv | save old.csv --force") == "E-DATA-CSV")
        #expect(await data.code("5 | save old.gpx") == "E-DATA-PLACE")
        #expect(try data.file("old.csv") == "old")
        #expect(data.fileNames == ["bad.csv", "old.csv"])
    }

    @Test("what cannot be written or read")
    func refused() async throws {
        let data = try DataSession()
        #expect(await data.run("[1] | save x.jsn").contains("did you mean `x.json`?"))
        #expect(await data.code("[1] | save x") == "E-DATA-FORMAT")
        #expect(await data.code("[1] | save none/x.json") == "E-FILE-ACCESS")
        #expect(await data.code("open .") == "E-FILE-ACCESS")
        try Data([0, 1, 2]).write(to: data.folder.appendingPathComponent("x.db"))
        #expect(await data.code("open x.db") == "E-DATA-FORMAT")
        #expect(data.fileNames == ["x.db"])
    }

    @Test("the format of files without extension is detected from their content")
    func content() async throws {
        let data = try DataSession(files: ["a": " {\"x\": 1}", "b": "plain"])
        #expect(await data.run("open a | get x") == "1")
        #expect(await data.run("open b") == "plain")
    }

    @Test("a point that is written as text in a column is named by the fix, which works")
    func writtenPoint() async throws {
        let data = try DataSession(files: ["w.csv": "n,geom\nA,POINT(7.9 46.5)\n"])
        let fix = await data.session.run("open w.csv | to geojson").failure?.fix
        #expect(fix == "… | extend at=coordinate(geom)")
        #expect(
            await data.run("open w.csv | extend at=coordinate(geom) | to geojson").contains("[7.9, 46.5]"))
    }
}
