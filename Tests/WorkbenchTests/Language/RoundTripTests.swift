import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

/// Printed values can be typed again and parse to the same value.
///
/// Numbers have at most 15 digits and places 6 decimals, as that is what is printed; the values are made from such
/// decimals, of which each has one nearest binary number.
@Suite struct RoundTripTests {
    static let cases = 400

    private func check(_ value: Value, as text: String, in session: TestSession) async throws {
        let read = try await session.value(text)
        #expect(
            try ValueComparison.equal(read, value, at: ComparisonSite(span: SourceSpan(0, 0))),
            "\(text) was read as \(ValueText.inline(read))")
        #expect(ValueText.inline(read) == ValueText.inline(value), "\(text)")
    }

    private func amount(_ random: inout Xoshiro256) -> Double {
        let digits = Int.random(in: 0..<1_000_000_000, using: &random)
        let exponent = Int.random(in: -9...6, using: &random)
        return (Double("\(Bool.random(using: &random) ? "-" : "")\(digits)e\(exponent)") ?? 0)
    }

    @Test("numbers and quantities of every unit")
    func numbers() async throws {
        let session = try TestSession()
        var random = Xoshiro256(seed: 1)
        for _ in 0..<Self.cases {
            let number = amount(&random)
            try await check(.number(number), as: Literal.number(number), in: session)
            guard let unit = MeasureUnit.all.randomElement(using: &random) else { continue }
            let quantity = Quantity(number, unit: unit)
            try await check(.quantity(quantity), as: Literal.quantity(quantity), in: session)
        }
        for number in [Int.min, -1, 0, 1, 9_007_199_254_740_993, .max] {
            try await check(.integer(number), as: String(number), in: session)
        }
    }

    @Test("durations")
    func durations() async throws {
        let session = try TestSession()
        var random = Xoshiro256(seed: 2)
        for _ in 0..<Self.cases {
            let quantity = Quantity(Double(Int.random(in: -200_000...200_000, using: &random)), .duration)
            try await check(.quantity(quantity), as: Literal.quantity(quantity), in: session)
        }
    }

    @Test("dates in a zone with daylight saving and in one with a half hour")
    func dates() async throws {
        var random = Xoshiro256(seed: 3)
        for zone in ["Europe/Zurich", "Asia/Kolkata", "America/St_Johns", "UTC"] {
            let session = try TestSession()
            await session.run("set timezone \(zone)")
            let timeZone = try #require(TimeZone(identifier: zone))
            for _ in 0..<Self.cases / 4 {
                let moment = Timestamp(
                    milliseconds: Int64.random(in: -5_000_000_000_000...5_000_000_000_000, using: &random))
                try await check(.date(moment), as: ValueText.date(moment, timeZone), in: session)
            }
        }
    }

    @Test("places and boxes")
    func places() async throws {
        let session = try TestSession()
        var random = Xoshiro256(seed: 4)
        func degrees(_ limit: Int, _ random: inout Xoshiro256) -> Double {
            Double("\(Int.random(in: -limit * 1_000_000...limit * 1_000_000, using: &random))e-6") ?? 0
        }
        for _ in 0..<Self.cases {
            let altitude =
                Bool.random(using: &random) ? Double(Int.random(in: -400...8849, using: &random)) : nil
            let place = Coordinate(
                latitude: degrees(90, &random), longitude: degrees(180, &random), altitude: altitude)
            try await check(.coordinate(place), as: Literal.coordinate(place), in: session)
            let other = degrees(90, &random)
            let box = BoundingBox(
                south: min(place.latitude, other), west: place.longitude, north: max(place.latitude, other),
                east: degrees(180, &random))
            try await check(.box(box), as: Literal.box(box), in: session)
        }
    }

    @Test("texts, alone in brackets, as a word, and in lists")
    func texts() async throws {
        let session = try TestSession()
        var random = Xoshiro256(seed: 5)
        let letters = Array("aZ9 _-.'\"\\$#(){}[]|;@,:%é東\u{301}🏔\n\t")
        for _ in 0..<Self.cases {
            let count = Int.random(in: 0..<8, using: &random)
            let text = String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
            let literal = Literal.text(text)
            try await check(.list([.text(text), .integer(1)]), as: "[\(literal) 1]", in: session)
            let word = await session.result("let v = first \(literal)")
            #expect(word.failure?.code == "E-ARG-KIND", "\(literal)")
            #expect(!Completeness.isIncomplete(literal), "\(literal)")
        }
        for word in ["true", "nothing", "in", "not", "tomorrow", "it"] {
            try await check(.list([.text(word)]), as: "[\(Literal.text(word))]", in: session)
        }
    }
}
