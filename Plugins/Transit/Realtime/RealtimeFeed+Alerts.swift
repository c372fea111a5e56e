import CivilTime
import Formats

/// Service alerts in messages.
extension RealtimeFeed {
    struct Alert: Sendable {
        /// The selector of an alert; empty texts match anything.
        struct Entity: Sendable {
            var agency = ""
            var route = ""
            var routeType: Int?
            var trip = ""
            var stop = ""
            /// `direction_id`, of the selector or of its trip.
            var direction: Int?
            /// The service day and the start of the run, if it is about one.
            var day: CivilDate?
            var start: Int?
            /// What of its run cannot be read, in words: it is about no known run then.
            var unreadable: String?

            /// Whether it names nothing at all, and with that anything.
            var isEmpty: Bool {
                agency.isEmpty && route.isEmpty && routeType == nil && trip.isEmpty && stop.isEmpty
                    && direction == nil && day == nil && start == nil && unreadable == nil
            }
        }

        var id: String
        /// `active_period`, and the two that take its place: when to tell of it, and when it takes effect.
        var periods: [(start: Int?, end: Int?)] = []
        var told: [(start: Int?, end: Int?)] = []
        var impact: [(start: Int?, end: Int?)] = []
        /// What is wrong with a period, in words: it is not known when the alert is in force.
        var unreadablePeriod: String?
        var entities: [Entity] = []
        var header = ""
        var text = ""
        var url = ""
        /// The texts in all their languages, for `told`.
        var translations = (header: [Translation](), text: [Translation](), url: [Translation]())
        /// `Cause`, `Effect` and `SeverityLevel`.
        var cause: Int?
        var effect: Int?
        var severity: Int?

        /// The same in a language, where it has texts in it.
        func told(in language: String?) -> Alert {
            guard let language else { return self }
            var alert = self
            alert.header = HTMLFragment.lines(RealtimeFeed.text(translations.header, in: language))
            alert.text = HTMLFragment.lines(RealtimeFeed.text(translations.text, in: language))
            alert.url = RealtimeFeed.text(translations.url, in: language)
            return alert
        }

        /// Its short text: the header, else the first line of the description, else its effect.
        var title: String {
            if !header.isEmpty { return header }
            let line = text.split(whereSeparator: \.isNewline).first { $0.contains { !$0.isWhitespace } }
            return line.map(String.init) ?? effectWord ?? "an alert without a text"
        }

        /// The title, and the effect unless the title has its words.
        var headline: String {
            let effect = effectWord.flatMap { title.lowercased().contains($0) ? nil : $0 }
            let facts = [effect, unreadablePeriod].compactMap(\.self)
            return facts.isEmpty ? title : "\(title) (\(facts.joined(separator: "; ")))"
        }

        /// What it is about if it names nothing, which a list has beside the scopes of its selectors.
        var openScope: [String] {
            if entities.isEmpty { return ["nothing: no board shows it"] }
            return entities.contains(where: \.isEmpty) ? ["everything"] : []
        }

        /// What it means for riders; `nil` if it does not say.
        var effectWord: String? {
            switch effect {
            case nil, 7, 8: nil
            case 1: "no service"
            case 2: "reduced service"
            case 3: "significant delays"
            case 4: "detour"
            case 5: "additional service"
            case 6: "modified service"
            case 9: "stop moved"
            case 10: "no effect"
            case 11: "accessibility issue"
            case let other?: "unknown (\(other))"
            }
        }

        /// Why; `nil` if it does not say.
        var causeWord: String? {
            switch cause {
            case nil, 1: nil
            case 2: "other"
            case 3: "technical problem"
            case 4: "strike"
            case 5: "demonstration"
            case 6: "accident"
            case 7: "holiday"
            case 8: "weather"
            case 9: "maintenance"
            case 10: "construction"
            case 11: "police activity"
            case 12: "medical emergency"
            case 13: "special event"
            case let other?: "unknown (\(other))"
            }
        }

        /// How grave it is; `nil` if it does not say.
        var severityWord: String? {
            switch severity {
            case nil, 1: nil
            case 2: "info"
            case 3: "warning"
            case 4: "severe"
            case let other?: "unknown (\(other))"
            }
        }

        /// Whether it is to be told at an instant; an alert without a period always is. The newer `communication_period`
        /// stands before `active_period`; without either what it is about has its `impact_period`.
        func isActive(at moment: Int) -> Bool {
            let periods = !told.isEmpty ? told : !self.periods.isEmpty ? self.periods : impact
            return Self.meets(periods, moment...moment)
        }

        /// Whether a ride is concerned for any part of its time, as far as is told now.
        func concernsRide(during time: ClosedRange<Int>, now: Int) -> Bool {
            guard !told.isEmpty || !impact.isEmpty else { return Self.meets(periods, time) }
            return (told.isEmpty && periods.isEmpty || isActive(at: now))
                && Self.meets(impact.isEmpty ? periods : impact, time)
        }

        /// Whether a period ends before it begins, so that its time is unknown.
        fileprivate static func isReversed(_ period: (start: Int?, end: Int?)) -> Bool {
            guard let start = period.start, let end = period.end else { return false }
            return end < start
        }

        /// Whether any of some periods meets a time; without periods whose time is known any does.
        private static func meets(
            _ periods: [(start: Int?, end: Int?)], _ time: ClosedRange<Int>
        ) -> Bool {
            let possible = periods.filter { !isReversed($0) }
            return possible.isEmpty
                || possible.contains {
                    let (start, end) = ($0.start ?? .min, $0.end ?? .max)
                    return start < end && start <= time.upperBound && time.lowerBound < end
                }
        }
    }

    static func alert(_ id: String, _ reader: ProtoReader) throws -> Alert {
        var reader = reader
        var alert = Alert(id: id)
        while let (number, value) = try reader.next() {
            guard var part = value.message else {
                switch number {
                case 6: alert.cause = value.integer
                case 7: alert.effect = value.integer
                case 14: alert.severity = value.integer
                default: break
                }
                continue
            }
            switch number {
            case 1, 2, 3:
                var period: (start: Int?, end: Int?) = (nil, nil)
                while let (number, value) = try part.next() {
                    if number == 1 { period.start = value.integer.flatMap(anyMoment) }
                    if number == 2 { period.end = value.integer.flatMap(anyMoment) }
                }
                if Alert.isReversed(period) { alert.unreadablePeriod = "its period ends before it begins" }
                switch number {
                case 1: alert.periods.append(period)
                case 2: alert.told.append(period)
                default: alert.impact.append(period)
                }
            case 5: alert.entities.append(try entity(part))
            case 8: alert.translations.url = try translations(part)
            case 10: alert.translations.header = try translations(part)
            case 11: alert.translations.text = try translations(part)
            default: break
            }
        }
        alert.url = text(alert.translations.url)
        alert.header = HTMLFragment.lines(text(alert.translations.header))
        alert.text = HTMLFragment.lines(text(alert.translations.text))
        return alert
    }

    private static func entity(_ reader: ProtoReader) throws -> Alert.Entity {
        var reader = reader
        var entity = Alert.Entity()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: entity.agency = value.identifier ?? ""
            case 2: entity.route = value.identifier ?? ""
            case 3: entity.routeType = value.integer32
            case 4:
                guard let part = value.message else { break }
                let trip = try descriptor(part)
                entity.trip = trip.trip
                if entity.route.isEmpty { entity.route = trip.route }
                if entity.direction == nil { entity.direction = trip.direction }
                (entity.day, entity.start, entity.unreadable) = (trip.day, trip.start, trip.unreadable)
            case 5: entity.stop = value.identifier ?? ""
            case 6: entity.direction = value.integer
            default: break
            }
        }
        return entity
    }

    /// A text of `TranslatedString`, and its language in BCP 47; empty if it does not say.
    struct Translation: Sendable {
        var text = ""
        var language = ""
    }

    /// The text of `TranslatedString` without a language that was chosen.
    static func translated(_ reader: ProtoReader) throws -> String { text(try translations(reader)) }

    /// The one of some translations that is in a language, else in English, else in a language that it does not say, else the first.
    fileprivate static func text(_ translations: [Translation], in language: String? = nil) -> String {
        func first(_ tag: String) -> Substring { tag.lowercased().prefix { $0.isLetter } }
        for wanted in [language, "en"].compactMap(\.self) {
            let found =
                translations.first { $0.language.lowercased() == wanted.lowercased() }
                ?? translations.first { first($0.language) == first(wanted) }
            if let found { return found.text }
        }
        return (translations.first { $0.language.isEmpty } ?? translations.first)?.text ?? ""
    }

    /// The translations that have a text.
    private static func translations(_ reader: ProtoReader) throws -> [Translation] {
        var reader = reader
        var texts: [Translation] = []
        while let (number, value) = try reader.next() {
            guard number == 1, var part = value.message else { continue }
            var entry = Translation()
            while let (number, value) = try part.next() {
                if number == 1 { entry.text = value.text ?? "" }
                if number == 2 { entry.language = value.text ?? "" }
            }
            if entry.text.contains(where: { !$0.isWhitespace }) { texts.append(entry) }
        }
        return texts
    }
}
