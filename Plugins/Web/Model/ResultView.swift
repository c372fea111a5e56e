import Formats
import Pictures
import PluginKit

/// The result of an entry as JSON for a page.
struct ResultView: Sendable {
    let entries: any EntryRunning
    let images: ImagePages
    let feeds: LiveFeeds
    /// The views of a value that a page can request in addition to the text.
    static let names = [
        "value", "table", "fields", "map", "profile", "turns", "play", "player", "picture", "image",
        "notebook", "live", "file",
    ]

    /// The response: text, error, and the requested views.
    func text(
        of outcome: EntryOutcome, asked: RunRequest, file: JSONTree? = nil
    ) async -> String {
        var members: [(String, String)] = [
            ("entry", JSONWriter.quoted(asked.entry)), ("text", JSONWriter.quoted(outcome.text)),
            ("kind", JSONWriter.quoted(outcome.value.kindName)),
            ("changed", outcome.hasChanged ? "true" : "false"),
        ]
        var notes = outcome.notices
        if let failure = outcome.failure {
            members.append(("error", error(failure, outcome.errorText ?? "").compactText))
        } else {
            do {
                let value = try asked.views.isEmpty ? outcome.value : ready(outcome.value)
                members += try await views(of: value, asked.views)
                // Doubts and cuts go with every result, whatever views a page asks for.
                if let rows = value.asRows {
                    for note in [rows.note, rows.remark, rows.cut?.summary].compactMap(\.self)
                    where !notes.contains(note) {
                        notes.append(note)
                    }
                }
                if let file { members.append(("file", file.compactText)) }
            } catch {
                let known = error as? RutterError
                let tree = JSONTree(members: [
                    "code": .text(known?.code ?? "E-INTERNAL"),
                    "message": .text(known?.message ?? "\(error)"),
                    "text": .text(known?.message ?? "\(error)"),
                ])
                members.append(("error", tree.compactText))
            }
        }
        if !notes.isEmpty { members.append(("notes", JSONTree.list(notes.map { .text($0) }).compactText)) }
        return "{" + members.map { JSONWriter.quoted($0) + ":" + $1 }.joined(separator: ",") + "}"
    }

    private func error(_ error: RutterError, _ text: String) -> JSONTree {
        JSONTree(members: [
            "code": .text(error.code), "message": .text(error.message), "text": .text(text),
            "fix": error.fix.map { .text($0) }, "suggestion": error.suggestion.map { .text($0) },
        ])
    }

    private func views(of value: Value, _ wanted: Set<String>) async throws -> [(String, String)] {
        guard !wanted.isEmpty else { return [] }
        var members: [(String, String)] = []
        if wanted.contains("live"), case .rows(let rows) = value, rows.isLive {
            guard let number = feeds.begin(rows) else {
                throw WebErrors.feeds("too many pages watch a store", fix: "stop watching on another page")
            }
            members.append(("live", "\(number)"))
            if let note = rows.note { members.append(("note", JSONWriter.quoted(note))) }
            return members
        }
        if wanted.contains("value") { members.append(("value", try await entries.json(value))) }
        if wanted.contains("table"), let rows = value.asRows {
            members.append(("table", try await table(rows).compactText))
        }
        if wanted.contains("fields"), let record = value.asRecord {
            members.append(("fields", await fields(record).compactText))
        }
        if wanted.contains("map") {
            // Objects drawn as a whole, such as a walk with its events, are one item.
            let items = try value.object(as: (any MapDrawable).self) == nil ? value.asRows?.collect() : nil
            let drawn = try (items ?? [value]).map { try PageMap.features(of: $0) ?? .list([]) }
            members.append(("map", JSONTree.list(drawn).compactText))
        }
        if wanted.contains("profile"), let profile = try ProfileView(value) {
            members.append(("profile", await profile.json(entries).compactText))
        }
        if wanted.contains("turns"), let route = value.object(as: (any TravelRoute).self) {
            members.append(("turns", await turns(route.turns).compactText))
        }
        if wanted.contains("player"), let data = try await entries.playerData(value) {
            members.append(("player", data))
            if let note = value.asRows?.note { members.append(("note", JSONWriter.quoted(note))) }
        }
        if wanted.contains("picture"), let picture = try await entries.picture(value) {
            members.append(("picture", JSONWriter.quoted(picture)))
        }
        if wanted.contains("image"),
            let image = try value.object(as: (any ImageRepresentable).self)?.imageFile()
        {
            members.append(("image", JSONWriter.quoted(images.address(of: image))))
        }
        if wanted.contains("notebook"), let notebook = try await entries.notebook(value) {
            members.append(("notebook", notebook))
        }
        if wanted.contains("play"), let playing = value.object(as: (any PlaybackProviding).self) {
            let playback = playing.playback(in: try await entries.context().environment)
            members.append(("play", await PlayView.json(playback, entries).compactText))
        }
        return members
    }

    /// Cells as in the terminal's table, but with all columns.
    private func table(_ rows: Rows) async throws -> JSONTree {
        let items = try rows.collect()
        let columns = rows.columns ?? items.commonColumns ?? ["value"]
        let cells = await entries.cells(
            items.flatMap { item in
                item.fieldNames == nil ? [item] : columns.map { item.field($0) ?? .nothing }
            })
        let lines = stride(from: 0, to: cells.count, by: columns.count).map { start in
            JSONTree.list(cells[start..<min(start + columns.count, cells.count)].map { .text($0) })
        }
        return JSONTree(members: [
            "columns": .list(columns.map { .text($0) }), "rows": .list(lines),
            "note": Rows.note([rows.note, rows.remark]).map { .text($0) },
            "cut": rows.cut.map { .text($0.summary) },
            "missing": rows.cut?.missing.map { JSONTree($0) },
        ])
    }

    private func fields(_ record: Record) async -> JSONTree {
        let cells = await entries.cells(record.values)
        var fields: [JSONTree] = []
        for (index, key) in record.keys.enumerated() {
            var field: [JSONTree] = [.text(key), .text(cells[index])]
            // A list of texts, such as warnings, one per field.
            if case .list(let items) = record.values[index], case .text? = items.first {
                field.append(.list(await entries.cells(items).map { .text($0) }))
            }
            fields.append(.list(field))
        }
        return .list(fields)
    }

    private func turns(_ turns: [TurnInstruction]) async -> JSONTree {
        let distances = await entries.cells(turns.map { .quantity(.metres($0.distanceFromPrevious)) })
        let totals = await entries.cells(turns.map { .quantity(.metres($0.cumulativeDistance)) })
        return .list(
            turns.indices.map { index in
                let turn = turns[index]
                return JSONTree(members: [
                    "text": .text(turn.description), "direction": .text(turn.direction.rawValue),
                    "at": PageMap.coordinate(turn.coordinate), "distance": .text(distances[index]),
                    "total": .text(totals[index]), "along": JSONTree(turn.cumulativeDistance.rounded()),
                ])
            })
    }

    /// Evaluates lazy rows once, and at most as many as a page can show.
    private func ready(_ value: Value) throws -> Value {
        guard let rows = value.asRows, rows.isLazy, !rows.isLive else { return value }
        var kept: [Value] = []
        var count = 0
        try rows.forEach { row in
            if kept.count < WebSettings.rowLimit { kept.append(row) }
            count += 1
        }
        var shown = Rows(
            kept, columns: rows.columns, note: rows.note,
            cut: rows.cut ?? Cut(missing: count - kept.count, "a page shows \(WebSettings.rowLimit) rows"))
        shown.remark = rows.remark
        return .rows(shown)
    }
}
