import Formats
import Foundation
import PluginKit
import TrailStores

/// A journey as a Markdown report.
struct MarkdownFormat {
    let wording: JourneyWording

    /// The report.
    func text(_ journey: ExportJourney) -> String {
        var blocks = ["# " + MarkdownText.inline(journey.title)]
        blocks.append(head(journey))
        if journey.kind != .places {
            blocks.append(table(SummaryRows(journey, wording).rows))
            if let method = journey.facts.method, journey.facts.gain != nil || journey.facts.walking != nil {
                blocks.append("*Method: \(MarkdownText.inline(method)).*")
            }
        }
        if !journey.cues.isEmpty {
            blocks.append("## Cue sheet")
            blocks.append(
                journey.cues.enumerated().map { index, cue in
                    "\(index + 1). \(wording.distance(cue.cumulativeDistance)): \(MarkdownText.inline(cue.description))"
                }.joined(separator: "\n"))
        }
        if !journey.places.isEmpty {
            blocks.append("## Waypoints")
            // A list with notes is a loose list, with space between its items.
            let isLoose = journey.places.contains { $0.point.description?.isEmpty == false }
            let items = journey.places.enumerated().map { item($0 + 1, $1, journey.categories) }
            blocks.append(items.joined(separator: isLoose ? "\n\n" : "\n"))
        }
        if !journey.comment.isEmpty {
            blocks.append("## Comments")
            blocks.append(MarkdownText.paragraphs(journey.comment))
        }
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private func head(_ journey: ExportJourney) -> String {
        let headline = JourneyHeadline(journey, wording)
        return headline.lines.map { "- " + MarkdownText.inline($0) }.joined(separator: "\n")
    }

    private func table(_ rows: [(name: String, value: String)]) -> String {
        let all = [(name: "Measure", value: "Value")] + rows
        let wide = all.map(\.name.count).max() ?? 0
        let high = all.map(\.value.count).max() ?? 0
        func line(_ row: (name: String, value: String)) -> String {
            let name = row.name + String(repeating: " ", count: wide - row.name.count)
            return "| \(name) | " + String(repeating: " ", count: high - row.value.count) + row.value + " |"
        }
        let rule =
            "| " + String(repeating: "-", count: wide) + " | "
            + String(repeating: "-", count: max(1, high - 1))
            + ": |"
        return ([line(all[0]), rule] + rows.map(line)).joined(separator: "\n")
    }

    private func item(_ number: Int, _ place: MapPlace, _ categories: CategoryList) -> String {
        let name = place.name.isEmpty ? "" : "**\(MarkdownText.inline(place.name))**"
        let kind = place.categoryName(in: categories)
        let category = kind.isEmpty ? "" : "(\(MarkdownText.inline(kind)))"
        var facts = [wording.place(place.point.coordinate)]
        if let altitude = place.point.coordinate.altitude { facts.append(wording.height(altitude)) }
        if let time = place.point.time { facts.append("\(wording.day(time)), \(wording.time(time))") }
        let words = [name, category].filter { !$0.isEmpty }.joined(separator: " ")
        let first = "\(number). " + (words.isEmpty ? "" : words + ": ") + facts.joined(separator: ", ")
        let note = place.point.description ?? ""
        if note.isEmpty { return first }
        // Further lines of an item are indented to its first word.
        let indent = String(repeating: " ", count: "\(number). ".count)
        let lines = MarkdownText.paragraphs(note).split(separator: "\n", omittingEmptySubsequences: false)
        return first + "\n\n" + lines.map { $0.isEmpty ? "" : indent + $0 }.joined(separator: "\n")
    }
}

/// The lines under a report's title: time and duration.
struct JourneyHeadline {
    let lines: [String]

    init(_ journey: ExportJourney, _ wording: JourneyWording) {
        var lines: [String] = []
        let facts = journey.facts
        if let start = journey.start, let end = journey.end { lines.append(wording.span(start, end)) }
        switch journey.kind {
        case .recorded:
            if facts.walking == nil {
                lines.append("Duration: \(JourneyWording.missing)")
            } else {
                lines.append(
                    "Duration: \(wording.duration(facts.duration)) (\(journey.motion) \(wording.duration(facts.walking)), "
                        + "resting \(wording.duration(facts.resting)))")
            }
        case .planned:
            lines.append("Planned route" + (journey.activity.map { ", \($0)" } ?? ""))
            lines.append("Estimated duration: \(wording.duration(facts.duration))")
        case .places: lines.append("\(journey.places.count, of: "place")")
        }
        if let author = journey.author, !author.isEmpty { lines.append("Author: \(author)") }
        self.lines = lines
    }
}

/// The rows of a report's summary.
struct SummaryRows {
    let rows: [(name: String, value: String)]

    init(_ journey: ExportJourney, _ wording: JourneyWording) {
        let facts = journey.facts
        let way = [
            ("Distance", wording.distance(facts.distance)), ("Elevation gain", wording.height(facts.gain)),
            ("Elevation loss", wording.height(facts.loss)),
        ]
        // A plan has no heart rate.
        guard journey.kind == .recorded else {
            rows = way + [("Estimated duration", wording.duration(facts.duration))]
            return
        }
        rows =
            way + [
                ("Average heart rate", wording.heartRate(facts.averageHeartRate)),
                ("Maximum heart rate", wording.heartRate(facts.maximumHeartRate)),
                ("Calories", wording.calories(facts.calories)), ("Average speed", wording.speed(facts.speed)),
            ]
    }
}

/// Text escaped for Markdown (CommonMark 0.31).
enum MarkdownText {
    /// Characters with a meaning anywhere in a line.
    private static let special: Set<Character> = ["\\", "`", "*", "_", "[", "]", "<", ">", "|", "~"]

    /// A text on one line.
    static func inline(_ text: String) -> String {
        let line = text.inOneLine
        return startGuarded(escaped(line))
    }

    /// A text of several paragraphs; line ends are kept.
    static func paragraphs(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            // Leading spaces would make it code.
            startGuarded(escaped(line.trimmingCharacters(in: .whitespaces)))
        }.reduce(into: [String]()) { lines, line in
            // A backslash at the end keeps a line end within a paragraph.
            if !line.isEmpty, let last = lines.last, !last.isEmpty { lines[lines.count - 1] += "\\" }
            lines.append(line)
        }.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for (character, next) in zip(text, text.dropFirst().map(Optional.some) + [nil]) {
            // Other control characters do not belong in a text file.
            if character.unicodeScalars.allSatisfy({ $0.value < 32 && $0 != "\t" }) { continue }
            let isEntity = character == "&" && (next?.isLetter == true || next == "#")
            if isEntity || special.contains(character) { out.append("\\") }
            out.append(character)
        }
        return out
    }

    /// Prevents the first characters of a line from making it a heading, a list or a rule.
    private static func startGuarded(_ line: String) -> String {
        guard let first = line.first else { return line }
        if "#+-=".contains(first) { return "\\" + line }
        let digits = line.prefix { ("0"..."9").contains($0) }
        if !digits.isEmpty, let next = line.dropFirst(digits.count).first, next == "." || next == ")" {
            return digits + "\\" + line.dropFirst(digits.count)
        }
        return line
    }
}
