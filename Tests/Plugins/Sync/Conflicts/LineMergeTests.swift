import PluginTestKit
import Testing

@testable import SyncPlugin

/// Texts merge by lines: what only one side changed stands.
@Suite struct LineMergeTests {
    private static let base = "a\nb\nc\nd\ne"

    @Test(arguments: [
        ("A\nb\nc\nd\ne", "a\nb\nc\nd\nE", "A\nb\nc\nd\nE"),
        ("a\nb\nc\nd\ne\nf", "x\na\nb\nc\nd\ne", "x\na\nb\nc\nd\ne\nf"),
        ("a\nc\nd\ne", "a\nb\nc\nd\nE", "a\nc\nd\nE"),
        ("a\nb\nC\nd\ne", "a\nb\nC\nd\nE", "a\nb\nC\nd\nE"),
        ("a\nb\nc\nd\ne", "a\nE", "a\nE"),
        ("a\nb\nc\nd\ne\n", "a\nB\nc\nd\ne", "a\nB\nc\nd\ne\n"),
    ])
    func bothChangesStand(_ left: String, _ right: String, _ merged: String) {
        for (winner, other) in [(left, right), (right, left)] {
            #expect(
                LineMerge.merge(base: Self.base, winner: winner, other: other)
                    == LineMerge.Outcome(text: merged, hasConflict: false))
        }
    }

    /// Where lines collide, the winner's stand, and the others' other lines too.
    @Test func linesThatCollide() {
        let found = LineMerge.merge(base: Self.base, winner: "a\nB\nc\nd\ne", other: "a\nX\nc\nd\nE")
        #expect(found == LineMerge.Outcome(text: "a\nB\nc\nd\nE", hasConflict: true))
        let added = LineMerge.merge(
            base: Self.base, winner: Self.base + "\nmine", other: Self.base + "\ntheirs")
        #expect(added == LineMerge.Outcome(text: Self.base + "\nmine", hasConflict: true))
    }

    /// A line feed in a character pair, and letters that look alike, stay what they are.
    @Test func bytesAreKept() {
        let found = LineMerge.merge(base: "a\r\nb\r\nc", winner: "A\r\nb\r\nc", other: "a\r\nb\r\ne\u{301}")
        #expect(found.map { Array($0.text.utf8) } == Array("A\r\nb\r\ne\u{301}".utf8))
    }

    /// A program that rewrote the ends of all lines changed none of them; a text with both ends is taken as it is.
    @Test(arguments: [
        ("A\nb\nc", "a\r\nb\r\nC", "A\r\nb\r\nC", false), ("a\r\nb\r\nc", "a\nB\nc", "a\r\nB\r\nc", false),
        ("A\r\nb\r\nc\r\n", "a\r\nb\r\nC", "A\r\nb\r\nc\r\n", true),
        ("one", "a\r\nb\r\nc", "one", false), ("A\nb\nc", "a\r\nb\nc", "A\nb\nc", true),
    ])
    func endsOfLines(_ left: String, _ right: String, _ merged: String, _ hasConflict: Bool) {
        let found = LineMerge.merge(base: "a\nb\nc", winner: left, other: right)
        #expect(found.map { Array($0.text.utf8) } == Array(merged.utf8))
        #expect(found?.hasConflict == hasConflict)
    }

    @Test func aNameIsNoText() {
        #expect(LineMerge.merge(base: "Hut", winner: "Cabin", other: "Lodge") == nil)
    }

    /// Any changes: nothing is taken that neither side wrote, and both devices agree unless lines collide.
    @Test func anyChanges() {
        var random = SplitMix(seed: 5)
        for _ in 0..<2_000 {
            let old = (0..<(2 + random.below(6))).map { _ in "\(random.below(4))" }
            func changed(_ mark: String) -> [String] {
                var lines = old
                for _ in 0..<random.below(3) {
                    let place = random.below(lines.count + 1)
                    switch random.below(3) {
                    case 0: lines.insert("\(mark)\(random.below(9))", at: place)
                    case 1 where place < lines.count && lines.count > 1: lines.remove(at: place)
                    case 2 where place < lines.count: lines[place] = "\(mark)\(random.below(9))"
                    default: break
                    }
                }
                return lines
            }
            let (left, right) = (changed("l"), changed("r"))
            let texts = [old, left, right].map { $0.joined(separator: "\n") }
            guard let one = LineMerge.merge(base: texts[0], winner: texts[1], other: texts[2]),
                let two = LineMerge.merge(base: texts[0], winner: texts[2], other: texts[1])
            else { continue }
            #expect(one.hasConflict == two.hasConflict)
            if !one.hasConflict { #expect(one.text == two.text) }
            // A text without lines is an empty one.
            let known = Set(old + left + right + [""])
            #expect(
                one.text.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy {
                    known.contains(String($0))
                })
            if texts[1] == texts[0] { #expect(one.text == texts[2]) }
            if texts[2] == texts[0] { #expect(one.text == texts[1]) }
            if one.hasConflict { continue }
            for line in left where line.hasPrefix("l") { #expect(one.text.contains(line)) }
            for line in right where line.hasPrefix("r") { #expect(one.text.contains(line)) }
        }
    }
}
