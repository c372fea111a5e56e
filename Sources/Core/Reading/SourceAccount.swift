import Foundation

/// What became of the items of a source when it was read.
///
/// For each kind of item, `seen = used + kept + repaired + set aside + unknown kind`. What a source says beside its items is a remark.
public struct SourceAccount: Sendable, Hashable, Codable {
    /// What became of items.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// Used, though a part of them is missing.
        case kept
        /// Used after a change.
        case repaired
        /// Understood to be of no use.
        case setAside = "set aside"
        /// Of a kind that the reader does not know.
        case unknown = "unknown kind"
    }

    /// Items of one kind that were not used as they stood.
    public struct Entry: Sendable, Hashable, Codable {
        /// What became of them.
        public let outcome: Outcome
        /// Why, in words that follow their number: `without a fix`.
        public let what: String
        /// How many.
        public var count: Int
        /// Where the first few are.
        public var first: [String]

        /// Items of one kind.
        public init(_ outcome: Outcome, _ what: String, count: Int, first: [String] = []) {
            self.outcome = outcome
            self.what = what
            self.count = count
            self.first = first
        }
    }

    /// The items of one kind, such as points.
    public struct Part: Sendable, Hashable, Codable {
        /// What an item is called: `point`.
        public let item: String
        /// How many the source holds.
        public let seen: Int
        /// How many were used as they stood.
        public let used: Int
        /// What became of the others.
        public let entries: [Entry]

        /// The items of one kind; entries without an item are left out.
        public init(item: String, seen: Int, used: Int, entries: [Entry]) {
            self.item = item
            self.seen = seen
            self.used = used
            self.entries = entries.filter { $0.count > 0 }
        }

        /// Whether each item is counted once.
        public var addsUp: Bool { used >= 0 && seen == entries.reduce(used) { $0 + $1.count } }

        /// In one line: `30 points: 28 used, 1 without a position, kept, 1 left out (at 0,0)`.
        public var words: String {
            let others = entries.map { entry in
                switch entry.outcome {
                case .kept: "\(entry.count) \(entry.what), kept"
                case .repaired: "\(entry.count) repaired (\(entry.what))"
                case .setAside: "\(entry.count) left out (\(entry.what))"
                case .unknown: "\(entry.count) of unknown kind (\(entry.what))"
                }
            }
            let isAfterVowel = item.dropLast().last.map("aeiou".contains) ?? false
            let items = item.hasSuffix("y") && !isAfterVowel ? item.dropLast() + "ies" : item + "s"
            return "\(seen, of: item, plural: items): " + (["\(used) used"] + others).joined(separator: ", ")
        }
    }

    /// The source; empty if it is known from where the account is kept.
    public var source: String
    /// The kinds of item that it holds.
    public var parts: [Part]
    /// What is doubtful, was changed or left out beside whole items, in sentences.
    public var remarks: [String]

    /// The account of a source.
    public init(source: String = "", parts: [Part] = [], remarks: [String] = []) {
        self.source = source
        self.parts = parts
        self.remarks = remarks
    }

    /// The account of several sources: items of one kind are summed, with equal entries.
    public static func joined(_ accounts: [SourceAccount], source: String) -> SourceAccount {
        var parts: [Part] = []
        for part in accounts.flatMap(\.parts) {
            guard let index = parts.firstIndex(where: { $0.item == part.item }) else {
                parts.append(part)
                continue
            }
            var entries = parts[index].entries
            for entry in part.entries {
                if let known = entries.firstIndex(where: {
                    $0.outcome == entry.outcome && $0.what == entry.what
                }) {
                    entries[known].count += entry.count
                } else {
                    entries.append(entry)
                }
            }
            parts[index] = Part(
                item: part.item, seen: parts[index].seen + part.seen, used: parts[index].used + part.used,
                entries: entries)
        }
        return SourceAccount(source: source, parts: parts, remarks: accounts.flatMap(\.remarks))
    }

    /// Whether each item is counted once.
    public var addsUp: Bool { parts.allSatisfy(\.addsUp) }

    /// In one line for each kind of item.
    public var words: String { parts.map(\.words).joined(separator: "\n") }
}

extension SourceAccount {
    /// The account in a text that `init(text:)` reads, to be kept in a store.
    public var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The account of such a text; `nil` for another.
    public init?(text: String) {
        guard let account = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = account
    }
}
