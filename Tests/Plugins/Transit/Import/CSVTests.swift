import Foundation
import PluginKit
import Testing

@testable import TransitPlugin

/// Reading of tables: what RFC 4180 says, and what feeds do.
@Suite struct CSVTests {
    private func records(_ text: String, chunk: Int = 1 << 10) throws -> [[String]] {
        let reader = try CSVReader(MemoryBytes(text), file: "test.txt", chunk: chunk)
        var records: [[String]] = []
        while try reader.next() {
            records.append((0..<reader.count).map { String(decoding: reader[$0], as: UTF8.self) })
        }
        return records
    }

    @Test(arguments: [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("\u{FEFF}a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
        ("a\n\n\nb\n", [["a"], ["b"]]),
        ("\"a,b\",\"c\"\"d\"\"\"\n", [["a,b", "c\"d\""]]),
        ("\"line\nbreak\",x\r\n", [["line\nbreak", "x"]]),
        (" a , b \n", [["a", "b"]]),
        ("a,\n,b\n,\n", [["a", ""], ["", "b"], ["", ""]]),
        ("\"\",\"\"\n", [["", ""]]),
        ("a\"b,c\n", [["a\"b", "c"]]),
        ("\"last\"", [["last"]]),
        ("é,日本\n", [["é", "日本"]]),
        ("", []),
    ])
    func table(text: String, expected: [[String]]) throws {
        #expect(try records(text) == expected)
    }

    /// However the bytes come, the records are the same.
    @Test func chunks() throws {
        var text = "\u{FEFF}id,name,note\r\n"
        for index in 0..<300 {
            let note = index % 3 == 0 ? "\"quoted, \"\"\(index)\"\"\nand more\"" : "plain \(index)"
            text += "\(index),\"name \(index)\",\(note)\r\n"
        }
        let expected = try records(text, chunk: 1 << 20)
        #expect(expected.count == 301)
        for chunk in [16, 17, 31, 64, 100, 1000] { #expect(try records(text, chunk: chunk) == expected) }
    }

    @Test func lines() throws {
        let reader = try CSVReader(MemoryBytes("a\n\n\"x\ny\"\nb\n"), file: "test.txt")
        var lines: [Int] = []
        while try reader.next() { lines.append(reader.line) }
        #expect(lines == [1, 3, 5])
    }

    @Test(arguments: ["\"never closed\nmore\n", "\"closed\" and more,b\n"])
    func quotesThatAreWrong(text: String) throws {
        #expect {
            _ = try records(text)
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-ROW" }
    }

    @Test func aLineThatCannotBeReadIsLeftOut() throws {
        let reader = try CSVReader(MemoryBytes("a\n\"b\"c\nd\n"), file: "test.txt", chunk: 16)
        #expect(try reader.next())
        #expect(throws: RutterError.self) { try reader.next() }
        try reader.skipLine()
        #expect(try reader.next())
        #expect(String(decoding: reader[0], as: UTF8.self) == "d")
        #expect(reader.line == 3)
        #expect(try !reader.next())
    }

    @Test func aQuoteThatSwallowsTheFileEnds() {
        let text = "a\n\"" + String(repeating: "x", count: TransitSettings.longestRecord + 10)
        #expect(throws: RutterError.self) { try records(text) }
    }

    // MARK: Values

    private func field<T>(_ text: String, _ body: (FieldBytes) -> T) -> T {
        Array(text.utf8).withUnsafeBufferPointer(body)
    }

    @Test(arguments: [
        ("00:00:00", 0), ("7:05:09", 25_509), ("27:35:00", 99_300), ("08:15:30", 29_730),
        ("240:00:00", 864_000),
    ])
    func times(text: String, seconds: Int) { #expect(field(text, FieldParser.time) == seconds) }

    @Test(arguments: [
        "7:5", "7:5:0", "08:60:00", "08:00:60", "-1:00:00", "8.00.00", "08:00", "", "999:00:00", "ab:cd:ef",
    ])
    func noTimes(text: String) { #expect(field(text, FieldParser.time) == nil) }

    @Test(arguments: [
        "0", "-0.5", "52.558684", "-99.07166004", "18.0141245283687", "1e3", "+4.25", "179.99999999999999",
        "0.000001", "123456789012345678",
    ])
    func numbers(text: String) { #expect(field(text, FieldParser.number) == Double(text)) }

    @Test(arguments: ["", "-", ".", "1.2.3", "north", "nan", "inf", "1,5"])
    func noNumbers(text: String) { #expect(field(text, FieldParser.number) == nil) }

    @Test func dates() {
        #expect(field("20260206", FieldParser.date)?.text == "2026-02-06")
        for text in ["20260230", "2026-02-06", "2026026", ""] {
            #expect(field(text, FieldParser.date) == nil)
        }
    }

    @Test func keys() {
        var table = KeyTable()
        for index in 0..<5000 {
            let key = Array("key \(index)".utf8)
            let added = key.withUnsafeBytes { table.add($0) }
            #expect(added.isNew && added.index == index)
        }
        for index in 0..<5000 {
            #expect(table.find("key \(index)") == index)
            #expect(table.text(index) == "key \(index)")
        }
        #expect(table.find("key 5000") == nil && table.find("") == nil)
    }
}
