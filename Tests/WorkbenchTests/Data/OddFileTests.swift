import Foundation
import Testing

@testable import Workbench

/// Files as other programs and people write them: quotes, encodings, columns of places, files that a session made itself.
struct OddFileTests {
    /// The fix of the error leads to the cell.
    @Test(arguments: [
        ("1, \"x, y\"", "x, y"), ("1,\"x\"y", "\"x\"y"), ("1,\"x\\\"y\"", "x\"y"),
    ])
    func quotesOfOtherProgramsAreReadLeniently(row: String, expected: String) async throws {
        let data = try DataSession(files: ["f.csv": "a,b\n\(row)\n"])
        let strict = await data.run("open f.csv | count")
        #expect(strict.contains("from csv --file 'f.csv' --lenient"), "\(strict)")
        let cell = await data.run("from csv --file f.csv --lenient | get b")
        #expect(cell == expected)
    }

    @Test func wideCharactersWithoutAMark() async throws {
        let data = try DataSession()
        let text = "name,beds\nSorteny,46\nIlla,50\n"
        let bytes = try #require(text.data(using: .utf16LittleEndian))
        try bytes.write(to: data.folder.appendingPathComponent("wide.csv"))
        let shown = await data.run("open wide.csv")
        #expect(shown.contains("Sorteny"), "\(shown)")
        #expect(shown.contains("read as UTF-16"), "\(shown)")
        let sum = await data.run("open wide.csv | sum beds")
        #expect(sum.hasPrefix("96"), "\(sum)")
    }

    /// A guess is said with what to do if it is wrong, and so is an encoding that cannot be guessed.
    @Test func encodingsThatAreGuessed() async throws {
        let data = try DataSession()
        // `Москва` in Windows-1251, and text of Shift_JIS.
        let cyrillic = Data("n\n".utf8) + Data([0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0, 0x0A])
        try cyrillic.write(to: data.folder.appendingPathComponent("c.csv"))
        let japanese = Data("n\n".utf8) + Data([0x93, 0x8C, 0x8B, 0x9E, 0x81, 0x40, 0x0A])
        try japanese.write(to: data.folder.appendingPathComponent("j.csv"))
        let guessed = await data.run("open c.csv")
        #expect(guessed.contains("where letters are wrong"), "\(guessed)")
        #expect(guessed.contains("open 'c.csv' --encoding"), "\(guessed)")
        let named = await data.run("open c.csv --encoding windows-1251 | get n")
        #expect(named == "Москва")
        let refused = await data.run("open j.csv")
        #expect(refused.contains("E-DATA-UTF8"), "\(refused)")
        #expect(refused.contains("open 'j.csv' --encoding"), "\(refused)")
        let known = await data.run("from csv --file j.csv --encoding Shift_JIS | get n")
        #expect(known == "東京\u{3000}")
    }

    @Test func theFixesOfPlacesFit() async throws {
        let data = try DataSession()
        let texts = await data.run("[{lat: '46.5' lon: '7.9'}] | to geojson")
        #expect(texts.contains("extend at=coordinate(lat, lon)"), "\(texts)")
        let fixed = await data.run(
            "[{lat: '46.5' lon: '7.9'}] | extend at=coordinate(lat, lon) | to geojson --compact")
        #expect(fixed.contains("[7.9,46.5]"), "\(fixed)")
        let one = await data.run("[{at: 46.5,7.9} {a: 1}] | to geojson")
        #expect(one.contains("where at != nothing"), "\(one)")
    }

    private func notices(_ data: DataSession, _ entry: String) async -> [String] {
        let collector = NoticeCollector()
        _ = await NoticeCollector.$current.withValue(collector) { await data.run(entry) }
        return collector.all
    }

    /// A time that is a day and a height in words have elements in GPX, but no value for them.
    @Test func whatGPXCannotHoldIsSaid() async throws {
        let data = try DataSession()
        let day = await notices(data, "[{at: 46.5,7.9 time: '2026-01-01' ele: 'high'}] | to gpx")
        let said = day.joined(separator: " ")
        #expect(said.contains("`time` is left out of 1 point"), "\(said)")
        #expect(said.contains("`ele` is left out of 1 point"), "\(said)")
        let whole = await notices(data, "[{at: 46.5,7.9 time: 2026-01-01T10:00:00Z ele: 1200m}] | to gpx")
        #expect(whole.isEmpty, "\(whole)")
    }

    /// A file of settings is text; a list of one word is JSON.
    @Test func filesWithoutAnEnding() async throws {
        let data = try DataSession(files: ["conf": "[section]\nkey = 1\n", "list": "[true]\n"])
        let text = await data.run("open conf")
        #expect(text.contains("key = 1"), "\(text)")
        let list = await data.run("open list")
        #expect(list == "true")
    }

    @Test func notationsOfPrograms() async throws {
        let data = try DataSession()
        #expect(await data.run("coordinate('POINT(7.9 46.5)')") == "46.5,7.9")
        #expect(await data.run("coordinate('46.5,7.9,1250m')") == "46.5,7.9,1250m")
        #expect(await data.code("coordinate('-46.5S 7.9E')") == "E-FUNCTION-KIND")
    }

    /// What an entry wrote is made again by the notebook; what was there before is its data.
    @Test func aFileThatTheSessionWroteIsNoData() async throws {
        let data = try DataSession(files: ["given.csv": "a\n1\n"])
        for entry in ["'a,b' | save made.csv", "open made.csv | count", "open given.csv | count"] {
            #expect(await data.code(entry) == nil, "\(entry)")
        }
        #expect(await data.code("notebook save n.md") == nil)
        let parts = try data.file("n.md").components(separatedBy: "```")
        #expect(parts[0].contains("given.csv"), "\(parts[0])")
        #expect(!parts[0].contains("made.csv"), "\(parts[0])")
    }

    /// A file that could not be written is the one that was there.
    @Test func aFileThatWasNotWrittenIsData() async throws {
        let data = try DataSession(files: ["given.csv": "a\n1\n"])
        #expect(await data.code("'a,b' | save given.csv") != nil)
        #expect(await data.code("open given.csv | count") == nil)
        #expect(await data.code("notebook save n.md") == nil)
        let text = try data.file("n.md")
        #expect(text.contains("file: "), "\(text)")
    }
}
