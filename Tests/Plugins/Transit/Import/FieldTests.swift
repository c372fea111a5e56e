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

    @Test(arguments: [
        ("8:00", 28_800), ("24:30", 88_200), ("8:5:0", 29_100), ("08:00:00.000", 28_800),
        ("8:00:00.5", 28_800), ("08:10:30.999", 29_430),
        ("8 : 05 : 00", 29_100),
        ("8h30", 30_600), ("08.30.15", 30_615), ("0 days 08:00:00", 28_800), ("1 day, 0:30:00", 88_200),
        ("1 days 00:30:00", 88_200),
    ])
    func looseTimes(text: String, seconds: Int) {
        #expect(field(text, LooseField.time) == seconds)
    }

    @Test(arguments: [
        ("8:00:00 AM", 28_800), ("8:00 pm", 72_000), ("12:15 a.m.", 900), ("12:15:00PM", 44_100),
        ("8:05p", 72_300),
    ])
    func timesOfHalfADay(text: String, seconds: Int) {
        #expect(field(text, LooseField.time) == seconds)
    }

    @Test(arguments: [
        "8", "0800", "8.30", "0.3333", "8:5", "8:60", "13:00 PM", "0:30 PM", "-8:00", "8:00.5", "8:00:00.",
        "8:00:00.5.1", "1:2:3:4",
        "8:00 x",
        "28800", "1 day 8:00 AM", "", "noon", "1 00:30:00", "1 8:00", "8:0 0:00",
    ])
    func timesThatMayMeanMore(text: String) { #expect(field(text, LooseField.time) == nil) }

    @Test(arguments: [
        "2026-03-10", "2026/3/10", "2026.03.10", "2026-03-10 00:00:00", "20260310.0", "2026-03-10T00:00:00Z",
    ])
    func looseDates(text: String) { #expect(field(text, LooseField.date)?.text == "2026-03-10") }

    @Test(arguments: [
        "10.03.2026", "03/10/2026", "26-03-10", "2026-13-01", "2026-03-10 12:00", "20260310.5", "",
    ])
    func daysThatMayMeanMore(text: String) { #expect(field(text, LooseField.date) == nil) }

    @Test func looseNumbers() {
        for (text, number) in [("3.0", 3), ("+7", 7), ("12.", 12), ("0.00", 0)] {
            #expect(field(text, LooseField.integer) == number)
        }
        for text in ["3.5", "-1", "", "+", ".0", "1e3", "1,0"] {
            #expect(field(text, LooseField.integer) == nil)
        }
        #expect(field("51,66", LooseField.angle) == 51.66)
        for text in ["1,234,5", "1,2.3", "51"] { #expect(field(text, LooseField.angle) == nil) }
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
