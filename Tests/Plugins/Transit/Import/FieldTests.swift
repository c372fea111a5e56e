import Foundation
import PluginKit
import Testing

@testable import TransitPlugin

/// Reading of the fields of tables.
@Suite struct FieldTests {
    private func field<T>(_ text: String, _ body: (FieldBytes) -> T) -> T {
        Array(text.utf8).withUnsafeBufferPointer(body)
    }

    @Test(arguments: [("a", "a"), (" a b ", "a b"), ("  ", ""), ("", "")])
    func blanksAroundAFieldAreLeftOut(text: String, expected: String) {
        #expect(field(text) { String(decoding: $0.trimmed, as: UTF8.self) } == expected)
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
