import CivilTime
import Foundation
import PluginKit

/// Checks the tables and columns that an import does not read: types, required and unknown columns, keys
/// and references; then checks across tables.
struct TableCheck {
    let source: FeedSource
    let content: FeedContent
    let today: CivilDate
    /// The tables that the feed has, also under other names.
    let tables: Set<FeedTable>
    /// The trips that a lenient import drops: a reference to one of them is not an error.
    let droppedTrips: KeyTable
    private(set) var findings: [FeedFinding] = []
    /// The findings that count what is beyond the listed ones.
    private var moreIndex: [TallyKey: Int] = [:]
    /// The identifiers of each table that others refer to.
    private(set) var keys: [FeedTable: KeyTable] = [:]
    var facts = TableFacts()
    /// The rules that have findings; at least one of each is listed.
    private var listed: Set<FeedRule> = []
    private var tallies: [Tally] = []
    private var tallyIndex: [TallyKey: Int] = [:]

    /// Findings of a kind in a column: the same fault in many lines is one finding with a count.
    private struct Tally {
        var rule: FeedRule
        var table: String
        var line: Int
        var field: String?
        var value: String?
        var text: String
        var count: Int
    }

    private struct TallyKey: Hashable {
        var rule: FeedRule
        var table: String
        var field: String?
    }

    init(_ source: FeedSource, _ content: FeedContent, droppedTrips: KeyTable, today: CivilDate) {
        (self.source, self.content, self.droppedTrips, self.today) = (source, content, droppedTrips, today)
        tables = Set(FeedTable.allCases.filter { source.has($0) })
    }

    /// Reads and checks all tables.
    mutating func run(progress: ProgressReporter) throws {
        let known = Set(FeedTable.allCases.map(\.rawValue) + [FlexLocations.name])
        for file in source.files where !known.contains(file) && !file.hasPrefix(".") {
            add(.unknownFile, file, 0, "\(file) is not a table of GTFS Schedule")
        }
        if source.hasTablesInFolders {
            add(
                .invalidInputFilesInSubfolder, source.name, 0,
                "tables are in a folder of the archive, not at its root")
        }
        if source.isInInnerArchive {
            add(
                .invalidInputFilesInSubfolder, source.name, 0,
                "the tables are in an archive within the archive, not at its root")
        }
        for rule in TableRule.all { try read(rule, progress) }
        let locations = try readLocations()
        let times = try readStopTimes(locations, progress)
        let shapes = try readShapes(progress)
        addAcrossTables()
        try addServices()
        try addTrips(times)
        if let shapes, let times { try addShapes(shapes, times, progress) }
        // Few, whatever the number of lines.
        for tally in tallies {
            listed.remove(tally.rule)
            let more = tally.count > 1 ? "; \(tally.count - 1) more lines" : ""
            add(
                tally.rule, tally.table, tally.line, tally.text + more, field: tally.field,
                value: tally.value,
                count: tally.count)
        }
    }

    /// Adds a finding.
    mutating func add(
        _ rule: FeedRule, _ table: String, _ line: Int, _ text: String, field: String? = nil,
        value: String? = nil,
        count: Int = 1
    ) {
        guard listed.insert(rule).inserted || findings.count < TransitSettings.listedProblems else {
            let key = TallyKey(rule: rule, table: table, field: field)
            if let index = moreIndex[key] {
                findings[index].count += count
                findings[index].text = "\(findings[index].count) more lines with this fault"
            } else {
                moreIndex[key] = findings.count
                findings.append(
                    FeedFinding(
                        severity: rule.severity, code: rule.code, table: table, field: field, count: count,
                        text: "\(count) more: \(text)", lenient: "kept"))
            }
            return
        }
        findings.append(
            FeedFinding(
                severity: rule.severity, code: rule.code, table: table, line: line, field: field,
                value: value.map { String($0.prefix(40)) }, count: count, text: text, lenient: "kept"))
    }

    /// Counts a fault of a line; the first of a kind in a column is the example. Texts are built for it
    /// only.
    mutating func tally(
        _ rule: FeedRule, _ table: FeedTable, _ line: Int, field: String? = nil,
        value: @autoclosure () -> String? = nil, count: Int = 1, _ text: @autoclosure () -> String
    ) {
        let key = TallyKey(rule: rule, table: table.rawValue, field: field)
        if let index = tallyIndex[key] {
            tallies[index].count += count
            return
        }
        tallyIndex[key] = tallies.count
        tallies.append(
            Tally(
                rule: rule, table: table.rawValue, line: line, field: field, value: value(), text: text(),
                count: count))
    }

    /// Reports the parts of a feed that exceeded a limit and were not checked.
    mutating func addUnchecked(_ table: FeedTable, _ text: String) {
        findings.append(
            FeedFinding(
                severity: .info, code: "rutter_not_checked", table: table.rawValue, text: text,
                lenient: "kept"))
    }

    /// One finding for all faults of a kind, with the first as an example.
    mutating func addAll(_ rule: FeedRule, _ table: FeedTable, _ found: [String], _ text: String) {
        guard !found.isEmpty else { return }
        listed.remove(rule)
        add(rule, table.rawValue, 0, "\(text): \(found.listed(first: 1))", count: found.count)
    }

    // MARK: A table

    /// Opens a table. The import has already reported why a table that it reads is unreadable.
    mutating func open(_ table: FeedTable, _ problems: inout FeedProblems) throws -> TableReader? {
        do {
            return try TableReader(source, table, required: [], &problems)
        } catch let error as RutterError
            where [TransitErrors.header.code, TransitErrors.encoding.code].contains(error.code)
        {
            if !FeedTable.schedule.contains(table) { add(.emptyFile, table.rawValue, 1, error.message) }
            return nil
        }
    }

    /// Checks the header of a table.
    mutating func checkHeader(_ rows: TableReader, _ rule: TableRule) {
        let name = rule.table.rawValue
        let columns = Set(rule.columns.map(\.name))
        for column in rows.names where !columns.contains(column) {
            if column.isEmpty {
                add(.emptyColumnName, name, 1, "a column has no name")
            } else {
                add(.unknownColumn, name, 1, "\(column) is not a column of \(name)", field: column)
            }
        }
        for column in rule.columns
        where rows.column(column.name) < 0 && [.required, .column].contains(column.requirement) {
            add(.missingRequiredColumn, name, 1, "the column \(column.name) is missing", field: column.name)
        }
    }

    /// Checks the form of a record: its length and its quoted values.
    @inline(__always)
    mutating func checkForm(_ rows: TableReader, _ table: FeedTable) {
        if rows.reader.count != rows.columnCount { checkLength(rows, table) }
        for index in 0..<rows.reader.count where rows.reader.isQuoted(index) {
            checkQuoted(rows.reader[index], rows, table)
        }
    }

    private mutating func checkLength(_ rows: TableReader, _ table: FeedTable) {
        let count = rows.reader.count
        // The import reports values beyond the last column of the tables that it reads.
        if rows.hasExcess, [.stops, .routes, .trips, .stopTimes].contains(table) { return }
        tally(
            .invalidRowLength, table, rows.line,
            "the line has \(count) values, the header \(rows.columnCount)")
    }

    private mutating func checkQuoted(_ field: FieldBytes, _ rows: TableReader, _ table: FeedTable) {
        guard let first = field.first, let last = field.last else { return }
        if first == 0x20 || last == 0x20 {
            tally(.leadingOrTrailingWhitespaces, table, rows.line, "spaces around a value within quotes")
        }
        if field.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            tally(.newLineInValue, table, rows.line, "a value spans several lines")
        }
    }

    /// Reports blank lines.
    mutating func checkBlankLines(_ rows: TableReader, _ table: FeedTable) {
        guard rows.blankLines > 0 else { return }
        tally(.emptyRow, table, rows.firstBlankLine, count: rows.blankLines, "a blank line")
    }

    private mutating func read(_ rule: TableRule, _ progress: ProgressReporter) throws {
        var problems = FeedProblems(isLenient: true)
        guard var rows = try open(rule.table, &problems) else { return }
        let name = rule.table.rawValue
        checkHeader(rows, rule)
        guard rule.hasFields else { return }
        let positions = rule.columns.map { rows.column($0.name) }
        if rule.table == .routes { facts.hasNetworkColumn = rows.column("network_id") >= 0 }
        let key = rule.key.map(rows.column)
        let identity = Self.identity(rule).map(rows.column) ?? -1
        let people = TableRule.namesForPeople[rule.table] ?? []
        let texts = rule.columns.map { people.contains($0.name) }
        let identifies = rule.columns.map { TableRule.isIdentifier($0.name, of: rule.table) }
        var seen = KeyTable()
        var identifiers = KeyTable()
        while try rows.next(&problems, progress: progress) {
            checkForm(rows, rule.table)
            for (index, column) in rule.columns.enumerated() {
                check(rows, positions[index], column, rule.table)
                if positions[index] >= 0, NameRules.hasReplacement(rows[positions[index]]) {
                    tally(
                        .invalidCharacter, rule.table, rows.line, field: column.name,
                        value: rows.text(positions[index]), "\(column.name) has the replacement character")
                }
                if texts[index], positions[index] >= 0 {
                    checkCase(rows, positions[index], column.name, rule.table)
                }
                if identifies[index], positions[index] >= 0, !NameRules.isPrintable(rows[positions[index]]) {
                    tally(
                        .nonAsciiOrNonPrintableChar, rule.table, rows.line, field: column.name,
                        value: rows.text(positions[index]),
                        "\(column.name) has characters other than printable ASCII")
                }
            }
            if !key.isEmpty, key.contains(where: { $0 >= 0 }) {
                let text = key.map { rows.text($0) }.joined(separator: "\u{0}")
                let isNew = Array(text.utf8).withUnsafeBytes { seen.add($0) }.isNew
                // A row without an identifier is reported separately.
                if !isNew, text.contains(where: { $0 != "\u{0}" }) {
                    add(
                        .duplicateKey, name, rows.line,
                        "\(rule.key.joined(separator: ", ")) are also in an earlier line")
                }
            }
            if identity >= 0, !rows[identity].isEmpty { _ = identifiers.add(rows[identity]) }
            facts.note(rule.table, rows, content)
        }
        checkBlankLines(rows, rule.table)
        keys[rule.table] = identifiers
        for problem in problems.listed where !FeedTable.schedule.contains(rule.table) {
            let fault = problem.fault
            add(
                fault.rule ?? .csvParsingFailed, name, problem.line, fault.text, field: fault.field,
                value: fault.value)
        }
    }

    /// The column that other tables refer to.
    private static func identity(_ rule: TableRule) -> String? {
        rule.table == .fareLegRules ? "leg_group_id" : rule.key.first
    }

    private mutating func checkCase(_ rows: TableReader, _ index: Int, _ column: String, _ table: FeedTable) {
        guard !NameRules.hasBothCases(rows[index]) else { return }
        tally(
            .mixedCaseRecommendedField, table, rows.line, field: column, value: rows.text(index),
            "\(column) `\(rows.text(index).prefix(40))` is not in mixed case")
    }

    private mutating func check(
        _ rows: TableReader, _ index: Int, _ column: ColumnRule, _ table: FeedTable
    ) {
        let field = rows[index]
        if field.isEmpty {
            switch column.requirement {
            case .required where index >= 0:
                add(
                    .missingRequiredField, table.rawValue, rows.line, "\(column.name) is missing",
                    field: column.name)
            case .recommended:
                add(
                    .missingRecommendedField, table.rawValue, rows.line, "\(column.name) is missing",
                    field: column.name)
            case .optional, .required, .column: break
            }
            return
        }
        if case .imported = column.kind { return }
        guard let rule = fault(field, column, rows) else { return }
        let value = rows.text(index)
        let worded =
            rule == .foreignKeyViolation
            ? FeedFault.unknown(column.name, value) : .invalid(column.name, value, rule: rule)
        if case .routeType = column.kind, rule == .unexpectedEnumValue {
            return tally(
                rule, table, rows.line, field: column.name, value: value,
                "\(column.name) `\(value)` is "
                    + (Int(value).map(TransitMode.isExtended) ?? false
                        ? "an extended route type" : "no known route type"))
        }
        add(rule, table.rawValue, rows.line, worded.text, field: column.name, value: value)
    }

    private func fault(_ field: FieldBytes, _ column: ColumnRule, _ rows: TableReader) -> FeedRule? {
        switch column.kind {
        case .reference(let target): has(field, in: target) ? nil : .foreignKeyViolation
        case .zone: facts.zones.find(field) == nil ? .foreignKeyViolation : nil
        case .network:
            facts.networks.find(field) ?? keys[.networks]?.find(field) == nil ? .foreignKeyViolation : nil
        case .amount(let currency):
            if FieldParser.number(field) == nil {
                .invalidFloat
            } else {
                NameRules.decimals(field) == NameRules.decimals(ofCurrency: rows.text(rows.column(currency)))
                    ? nil : .invalidCurrencyAmount
            }
        default: FieldCheck.fault(field, column.kind)
        }
    }

    func has(_ field: FieldBytes, in table: FeedTable) -> Bool {
        switch table {
        case .stops: content.stopIDs.find(field) != nil
        case .routes: content.routeIDs.find(field) != nil
        case .trips: content.tripIDs.find(field) != nil || droppedTrips.find(field) != nil
        case .calendar: content.serviceIDs.find(field) != nil
        default: keys[table]?.find(UnsafeRawBufferPointer(field)) != nil
        }
    }
}
