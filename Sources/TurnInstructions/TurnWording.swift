import Foundation
import Geodesy

/// Words turn instructions in a language.
struct TurnWording {
    let language: TurnLanguage

    /// The text of a turn, or of two merged ones.
    func text(_ turn: FoundTurn) -> String {
        guard turn.members.count > 1, let last = turn.members.last else { return whole(turn) }
        let first = turn.members[0]
        // A flight of steps is told although the next turn follows at once.
        let takesSteps = first.kind?.isAlwaysAnnounced == true && !first.staysOn
        var opening = (takesSteps ? onto(verb(first), first) : verb(first)) + inner(first)
        let second = following(last, after: first) + inner(last)
        var further = onto(second, last)
        let trail = trails(last).isEmpty ? trails(first) : trails(last)
        let saysNothing =
            further == second && inner(last).isEmpty && inner(first).isEmpty && trail.isEmpty && !takesSteps
            && !first.isCrossing && !last.isCrossing
        if saysNothing {
            if !location(first.landmark).isEmpty {
                opening += location(first.landmark)
            } else {
                further = recognisable(further, last)
            }
        }
        return opening + filled(language.then, "next", further) + trail
    }

    /// The text of the first instruction.
    func start(bearing: Double, leg: TurnLeg) -> String {
        let compass = language.compass[
            Int((Angle.normalized(bearing) / 45).rounded()) % language.compass.count]
        let words =
            leg.name.map { filled(language.startOn, "way", $0) } ?? language.start
        let trail = leg.trails.first.map { "; " + filled(language.follow, "trail", $0.words(language)) } ?? ""
        return filled(words, "compass", compass) + trail
    }

    /// The text of the last instruction.
    var arrive: String { language.arrive }

    // MARK: One turn

    private func whole(_ turn: FoundTurn) -> String {
        let action = turn.isAnnounced ? lift(turn) ?? action(turn) : ""
        guard let via = turn.via else { return action }
        let reached = via.name.map { filled(language.viaNamed, "name", $0) } ?? language.via
        return filled(reached, "number", "\(via.number)") + (action.isEmpty ? "" : ". " + action)
    }

    private func action(_ turn: FoundTurn) -> String {
        let words = verb(turn)
        let action = onto(words, turn)
        let isBare = action == words && trails(turn).isEmpty && !turn.isCrossing && turn.direction != .uTurn
        return (isBare ? recognisable(action, turn) : action + location(turn.landmark)) + trails(turn)
    }

    /// A text that names no way, with the landmark, or else the way on which one stays and how it looks.
    private func recognisable(_ words: String, _ turn: FoundTurn) -> String {
        let landmark = location(turn.landmark)
        guard landmark.isEmpty, turn.staysOn, let way = turn.name ?? turn.kind.flatMap({ language.ways[$0] })
        else { return words + landmark }
        return filled(filled(language.stay, "verb", words), "way", way)
    }

    /// A lift, and where one goes after it; `nil` without one.
    private func lift(_ turn: FoundTurn) -> String? {
        guard turn.hasLift else { return nil }
        if turn.direction == .straight, turn.staysOn { return language.takeLift + trails(turn) }
        let words = action(turn)
        guard let initial = words.first, words.dropFirst().first != "-" else { return language.takeLift }
        return language.takeLift + filled(language.then, "next", initial.lowercased() + words.dropFirst())
    }

    private func verb(_ turn: FoundTurn) -> String {
        if case .crossing(let name) = turn.landmark {
            return filled(language.cross, "way", name ?? language.theRoad)
        }
        if let side = turn.uTurnSide { return side == .left ? language.uTurnLeft : language.uTurnRight }
        return turn.keepsTo.flatMap { language.keep[$0] } ?? language.verbs[turn.direction] ?? ""
    }

    /// The verb of a second turn: `right` after `Turn left`, `bear right` after another verb.
    private func following(_ turn: FoundTurn, after first: FoundTurn) -> String {
        if language.short[first.direction] != nil, let word = language.short[turn.direction] { return word }
        let words = verb(turn)
        // A verb is capitalised only at the beginning of the sentence; `U-turn` keeps its own capital.
        guard let initial = words.first, words.dropFirst().first != "-" else { return words }
        if case .crossing(let name) = turn.landmark, words.hasPrefix(name ?? "\u{0}") { return words }
        return initial.lowercased() + words.dropFirst()
    }

    /// A text with the way taken.
    private func onto(_ words: String, _ turn: FoundTurn) -> String {
        if turn.direction == .uTurn, turn.staysOn { return words }
        if let name = turn.name, turn.kind?.isRide != true {
            guard turn.staysOn else {
                return filled(filled(language.onto, "verb", words), "way", name)
            }
            if case .fork = turn.landmark { return words }
            if turn.sharpness < turn.thresholds.straight { return words }
            return filled(filled(language.stay, "verb", words), "way", name)
        }
        guard !turn.staysOn, let phrase = phrase(turn) else { return words }
        return "\(words) \(phrase)" + (turn.name.map { " \($0)" } ?? "")
    }

    /// The way taken, if it has no name.
    private func phrase(_ turn: FoundTurn) -> String? {
        guard let kind = turn.kind else { return turn.leavesName ? language.unnamed : nil }
        if kind == .steps, let isAscent = turn.isAscent {
            return isAscent ? language.stepsUp : language.stepsDown
        }
        return language.kinds[kind]
    }

    private func location(_ landmark: FoundTurn.Landmark) -> String {
        switch landmark {
        case .none, .crossing: ""
        case .fork: " " + language.fork
        case .endOfWay(let name): " " + filled(language.endOf, "way", name ?? language.theWay)
        case .roundabout(let exit?): " " + filled(language.roundabout, "ordinal", ordinal(exit))
        // `at the roundabout` alone.
        case .roundabout(nil): " " + language.roundabout.prefix { $0 != "," }
        }
    }

    /// In merged texts only a roundabout is named.
    private func inner(_ turn: FoundTurn) -> String {
        if case .roundabout = turn.landmark { return location(turn.landmark) }
        return ""
    }

    private func trails(_ turn: FoundTurn) -> String {
        if let trail = turn.joinsTrail {
            return "; " + filled(language.follow, "trail", trail.words(language))
        }
        return turn.leavesTrail.map { "; " + filled(language.leave, "trail", $0.title(language)) } ?? ""
    }

    private func ordinal(_ number: Int) -> String {
        language.ordinals.indices.contains(number - 1)
            ? language.ordinals[number - 1] : filled(language.furtherOrdinal, "number", "\(number)")
    }

    private func filled(_ pattern: String, _ key: String, _ text: String) -> String {
        pattern.replacing("{\(key)}", with: text)
    }
}
