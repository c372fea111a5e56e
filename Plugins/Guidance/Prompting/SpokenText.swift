import Foundation
import Geodesy
import PluginKit

/// The spoken text of events. Distances are rounded as in speech, in metres and kilometres or in feet and miles.
struct SpokenText: Sendable {
    /// The spoken units.
    let units: UnitSystem

    /// Texts with distances in these units.
    init(_ units: UnitSystem) { self.units = units }

    /// The words of an event.
    func text(_ event: GuidanceEvent) -> String {
        let action = event.turn?.description ?? ""
        switch event.kind {
        case .approaching, .atTurn:
            let first = event.kind == .atTurn ? action : ahead(event.turn, event.distance)
            return ([first] + event.following.map(then)).joined(separator: ". ")
        case .offRoute:
            let place = event.bearing.map { " to the \(Self.compass($0))" } ?? ""
            let what = event.isJoining ? "You are not on the route" : "You have left the route"
            return "\(what). It is \(distance(event.distance))\(place)"
        case .backOnRoute:
            let back = event.isJoining ? "You have reached the route" : "You are back on the route"
            let without =
                event.turnsPassed > 0
                ? Self.passed(event.turnsPassed)
                : event.leftOut.map { "\(Self.sentence(distance($0))) of it are left out" }
            let way = event.bearing.map { "It goes on to the \(Self.compass($0))" }
            let next = event.upcoming.map { ahead($0.turn, $0.distance) }
            return [back, without, way, next].compactMap { $0 }.joined(separator: ". ")
        case .wrongWay: return "You are walking against the route. Turn round"
        case .turnedRound:
            let first = event.hasTurned ? "You have turned round" : "The route goes on this way"
            return
                "\(first). \(Self.sentence(distance(event.distance))) to go\(event.hasTurned ? " this way" : "")"
        case .noWay:
            let place = event.bearing.map { " to the \(Self.compass($0))" } ?? ""
            let what = event.isToWay ? "nearest way" : "route"
            return "No new route here. The \(what) is \(distance(event.distance))\(place)"
        case .passed:
            // Who goes straight on where the plan makes a loop has not been at its turns.
            let first =
                event.leftOut.map { "You have left out \(distance($0)) of the route" }
                ?? Self.passed(event.turnsPassed)
            let way = event.turn?.trailName.map { "You are on \($0)" }
            let next = event.upcoming.map { ahead($0.turn, $0.distance) }
            return [first, way, next].compactMap { $0 }.joined(separator: ". ")
        case .arrived: return "You have arrived"
        case .rerouted: return "New route. \(Self.sentence(distance(event.distance))) to go"
        }
    }

    private static func passed(_ turns: Int) -> String {
        "You have passed \(turns == 1 ? "a turn" : "\(turns) turns")"
    }

    /// An instruction some metres ahead: `In 80 metres, turn left`.
    private func ahead(_ turn: TurnInstruction?, _ metres: Double) -> String {
        let what = turn?.direction == .arrive ? "you arrive" : Self.lowercased(turn?.description ?? "")
        return metres < Self.now ? Self.sentence(what) : "In \(distance(metres)), \(what)"
    }

    /// A turn some metres after another: `Then, in 60 metres, turn right`.
    private func then(_ next: GuidanceEvent.Upcoming) -> String {
        let what = Self.lowercased(next.turn.description)
        return next.distance < Self.now ? "Then \(what)" : "Then, in \(distance(next.distance)), \(what)"
    }

    /// Below this many metres a turn is announced without a distance.
    private static let now = 5.0
    private static let metresInFoot = 0.3048
    private static let metresInMile = 1609.344

    /// A distance in words: `80 metres`, `1.2 kilometres`, `250 feet`, `half a mile`.
    func distance(_ metres: Double) -> String {
        guard metres.isFinite, metres >= 0 else { return "an unknown distance" }
        return units == .metric ? metric(metres) : imperial(metres)
    }

    private func metric(_ metres: Double) -> String {
        let rounded = Self.rounded(metres, large: 50)
        if rounded < 1000 { return "\(rounded, of: "metre")" }
        return Self.decimals(metres / 1000, "kilometre")
    }

    private func imperial(_ metres: Double) -> String {
        let feet = metres / Self.metresInFoot
        if metres < Self.metresInMile / 5 {
            return "\(Self.rounded(feet, large: 50), of: "foot", plural: "feet")"
        }
        switch metres / Self.metresInMile {
        case ..<0.375: return "a quarter of a mile"
        case ..<0.625: return "half a mile"
        case ..<0.875: return "three quarters of a mile"
        case let miles: return Self.decimals(miles, "mile")
        }
    }

    /// To the nearest one below 10, five below 30, ten below 300, else `large`.
    private static func rounded(_ value: Double, large: Double) -> Int {
        let step = value < 10 ? 1.0 : (value < 30 ? 5 : (value < 300 ? 10 : large))
        return Int((value / step).rounded() * step)
    }

    private static func decimals(_ value: Double, _ unit: String) -> String {
        let text = DecimalText.trimmed(value, decimals: value < 10 ? 1 : 0)
        return text == "1" ? "1 \(unit)" : "\(text) \(unit)s"
    }

    /// A sentence as a part of another. Names and abbreviations, as `B6`, `McDonald's`, `TR` and `Mill Lane`, stay as they are.
    private static func lowercased(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        let first = words.first ?? ""
        let isName =
            first.dropFirst().contains { $0.isUppercase || $0.isNumber } || first.count == 1
            || !TurnWords.isVerb(first) && words.dropFirst().first?.first?.isUppercase == true
        return isName ? text : text.prefix(1).lowercased() + text.dropFirst()
    }
    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// The nearest of the eight main directions.
    private static func compass(_ bearing: Double) -> String {
        let names = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
        return names[Int((Angle.normalized(bearing) / 45).rounded()) % names.count]
    }
}
