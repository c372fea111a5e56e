import Foundation
import PluginKit
import Testing

@testable import Workbench

@Suite("The first line, the name and the notes of tables in files")
struct FirstLineTests {
    @Test(
        "a first line that may be a row is said",
        arguments: [
            ("Total,81,50.5\nA,7,7.5\n", true), ("1,Alpha\n2,Beta\n", true), ("name,12\nA,5\n", true),
            ("2026-01-01,a\n2026-01-02,b\n", true), ("46.5,7.9\n46.6,7.8\n", true),
            ("country,2019,2020\nAD,1,2\n", false), ("country,2020\nAD,1\n", false),
            ("country,2020-01-22\nAD,1\n", false), ("name,beds\nA,5\n", false), ("yes,no\n1,2\n", false),
        ])
    func firstLine(_ text: String, _ isDoubtful: Bool) async throws {
        let data = try DataSession(files: ["t.csv": text])
        let shown = await data.run("open t.csv")
        #expect(shown.contains("--no-header") == isDoubtful, "\(shown)")
        #expect(await data.run("from csv --file t.csv --no-header").contains("if the first line") == false)
    }

    @Test("a fix names a file as it must be typed")
    func folders() async throws {
        let data = try DataSession()
        let folder = data.folder.appendingPathComponent("two words", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("a,b\n1\n".utf8).write(to: folder.appendingPathComponent("r.csv"))
        try Data("1\n2\n".utf8).write(to: folder.appendingPathComponent("l.json"))
        let ragged = await data.session.run("open 'two words/r.csv' | count").failure?.fix ?? ""
        #expect(ragged.contains("from csv --file 'two words/r.csv' --lenient"), "\(ragged)")
        let absolute = await data.session.run("open '\(folder.path)/l.json'").failure?.fix ?? ""
        #expect(absolute.contains("from jsonl --file 'two words/l.json'"), "\(absolute)")
        #expect(await data.run("from jsonl --file 'two words/l.json' | sum") == "3")
    }

    @Test("an empty file is said to be empty, and tables with bars and tabs open by their names")
    func otherFiles() async throws {
        let data = try DataSession(files: ["e.csv": "", "a.psv": "a|b\n1|x\n", "a.tab": "a\tb\n1\tx\n"])
        #expect(await data.run("open e.csv").contains("e.csv is empty"))
        #expect(await data.run("open e.csv | count").hasPrefix("0"))
        #expect(await data.run("open a.psv | get a") == "1")
        #expect(await data.run("open a.tab | get b") == "x")
    }

    @Test("of several files, what is said of kinds does not hide what else is said")
    func notesOfSeveralFiles() async throws {
        var files: [String: String] = [:]
        for number in 1...6 { files["f\(number).csv"] = "a\(number);p\n1;1,5\n" }
        files["z.csv"] = "p\nword\n"
        let data = try DataSession(files: files)
        let shown = await data.run("open f1.csv f2.csv f3.csv f4.csv f5.csv f6.csv z.csv")
        #expect(shown.contains("`p` is text: comma-number in f1.csv, text in z.csv"), "\(shown)")
        #expect(shown.contains("no `a1` in f2.csv"))
        #expect(!shown.contains("has decimal commas"), "\(shown)")
    }
}
