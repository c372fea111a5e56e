import CivilTime
import Foundation
import PluginKit

/// Checks the tables and columns that an import does not read: types, required and unknown columns, keys and references, and
/// then what the tables say together.
struct TableCheck {
    let source: FeedSource
    let content: FeedContent
    let today: CivilDate
    /// The trips that a lenient import drops: a reference to one of them is no error of its own.
    let droppedTrips: KeyTable
    private(set) var findings: [FeedFinding] = []
    /// Findings that were counted and not listed.
    private(set) var unlisted = 0
    /// The identifiers of each table that others refer to.
    private var keys: [FeedTable: KeyTable] = [:]
    var facts = TableFacts()

    init(_ source: FeedSource, _ content: FeedContent, droppedTrips: KeyTable, today: CivilDate) {
        (self.source, self.content, self.droppedTrips, self.today) = (source, content, droppedTrips, today)
    }

    /// Reads all tables.
    mutating func run(progress: ProgressReporter) throws {
        let known = Set(FeedTable.allCases.map(\.rawValue) + ["locations.geojson"])
        for file in source.files where !known.contains(file) && !file.hasPrefix(".") {
            add(.unknownFile, file, 0, "\(file) is no table of GTFS Schedule")
        }
        for rule in TableRule.all { try read(rule, progress) }
        addTogether()
    }

    /// Adds a finding.
    mutating func add(
        _ rule: FeedRule, _ table: String, _ line: Int, _ text: String, field: String? = nil,
        value: String? = nil,
        count: Int = 1
    ) {
        guard findings.count < TransitSettings.listedProblems else {
            unlisted += 1
            return
        }
        findings.append(
            FeedFinding(
                severity: rule.severity, code: rule.rawValue, table: table, line: line, field: field,
                value: value.map { String($0.prefix(40)) }, count: count, text: text, lenient: "kept"))
    }

    // MARK: A table

    private mutating func read(_ rule: TableRule, _ progress: ProgressReporter) throws {
        // The import has reported what keeps a table from being read at all.
        var problems = FeedProblems(isLenient: true)
        var rows: TableReader
        do {
            guard let reader = try TableReader(source, rule.table, required: [], &problems) else { return }
            rows = reader
        } catch let error as RutterError
            where [TransitErrors.header.code, TransitErrors.encoding.code].contains(error.code)
        {
            if !FeedTable.schedule.contains(rule.table) {
                add(.emptyFile, rule.table.rawValue, 1, error.message)
            }
            return
        }
        let name = rule.table.rawValue
        let columns = Set(rule.columns.map(\.name))
        for column in rows.names where !columns.contains(column) && !column.isEmpty {
            add(.unknownColumn, name, 1, "\(column) is no column of \(name)", field: column)
        }
        for column in rule.columns where rows.column(column.name) < 0 {
            if column.need == .required {
                add(.missingColumn, name, 1, "the column \(column.name) is missing", field: column.name)
            }
        }
        guard rule.hasFields else { return }
        let places = rule.columns.map { rows.column($0.name) }
        let key = rule.key.map(rows.column)
        let identity = Self.identity(rule).map(rows.column) ?? -1
        var seen = KeyTable()
        var identifiers = KeyTable()
        while try rows.next(&problems, progress: progress) {
            for (place, column) in zip(places, rule.columns) { check(rows, place, column, name) }
            if !key.isEmpty, key.contains(where: { $0 >= 0 }) {
                let text = key.map { rows.text($0) }.joined(separator: "\u{0}")
                let isNew = Array(text.utf8).withUnsafeBytes { seen.add($0) }.isNew
                // A row without an identifier is reported as such.
                if !isNew, text.contains(where: { $0 != "\u{0}" }) {
                    add(
                        .duplicateKey, name, rows.line,
                        "\(rule.key.joined(separator: ", ")) stand in an earlier line, too")
                }
            }
            if identity >= 0, !rows[identity].isEmpty { _ = identifiers.add(rows[identity]) }
            facts.note(rule.table, rows, content)
        }
        keys[rule.table] = identifiers
        for problem in problems.listed where !FeedTable.schedule.contains(rule.table) {
            add(ProblemRule.rule(problem.text) ?? .csvParsingFailed, name, problem.line, problem.text)
        }
    }

    /// The column that other tables refer to.
    private static func identity(_ rule: TableRule) -> String? {
        rule.table == .fareLegRules ? "leg_group_id" : rule.key.first
    }

    private mutating func check(_ rows: TableReader, _ place: Int, _ column: ColumnRule, _ table: String) {
        guard place >= 0 else { return }
        let field = rows[place]
        if field.isEmpty {
            switch column.need {
            case .required:
                add(.missingField, table, rows.line, "\(column.name) is missing", field: column.name)
            case .recommended:
                add(
                    .missingRecommendedField, table, rows.line, "\(column.name) is missing",
                    field: column.name)
            case .optional: break
            }
            return
        }
        let rule: FeedRule?
        if case .reference(let target) = column.kind {
            rule = has(field, in: target) ? nil : .foreignKey
        } else if case .zone = column.kind {
            rule = facts.zones.find(UnsafeRawBufferPointer(field)) == nil ? .foreignKey : nil
        } else {
            rule = FieldCheck.fault(field, column.kind)
        }
        guard let rule else { return }
        let value = rows.text(place)
        let text =
            rule == .foreignKey ? "unknown \(column.name) `\(value)`" : "invalid \(column.name) `\(value)`"
        add(rule, table, rows.line, text, field: column.name, value: value)
    }

    private func has(_ field: FieldBytes, in table: FeedTable) -> Bool {
        switch table {
        case .stops: content.stopIDs.find(field) != nil
        case .routes: content.routeIDs.find(field) != nil
        case .trips: content.tripIDs.find(field) != nil || droppedTrips.find(field) != nil
        case .calendar: content.serviceIDs.find(field) != nil
        default: keys[table]?.find(UnsafeRawBufferPointer(field)) != nil
        }
    }
}
