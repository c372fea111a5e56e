import Foundation
import PluginKit
import TrailStores

/// An open store as a value of the workbench.
struct StoreObject: FieldedObject {
    let entry: OpenStores.Entry
    let isInUse: Bool
    /// Whether it is one of the workspace's own stores, which are not opened.
    var isOwn = false
    /// How it was recognised, if it was just opened.
    var recognised: StoreRecognition?
    /// What is damaged in its pages, if it was just opened and is.
    var damage: String?
    /// What became of its rows, if it was just opened and is of a kind whose rows are counted.
    var account: SourceAccount?

    var typeName: String { "store" }

    static let fields = FieldTable<Self> {
        Field(column: "name") { .text($0.entry.name) }
        Field(column: "kind") { .text($0.entry.kind.name) }
        Field(column: "file") { .text($0.entry.url.lastPathComponent) }
        Field(column: "access") { .text($0.isOwn ? "own" : $0.entry.isWritable ? "write" : "read") }
        Field(column: "inUse") { .boolean($0.isInUse) }
        Field("sure", where: { $0.recognised != nil }) {
            Value($0.recognised) { .text($0.certainty.rawValue) }
        }
        Field("because", where: { $0.recognised != nil }) { Value($0.recognised) { .text($0.reason) } }
        Field("damage", where: { $0.damage != nil }) { Value($0.damage) { .text($0) } }
        Field("account", where: { $0.account != nil }) {
            Value($0.account) { .object(AccountObject($0)) }
        }
        Field("path") { .text($0.entry.url.path) }
    }

    var summary: String { entry.name }
}

/// A finding of `store check` as a value of the workbench.
struct FindingObject: FieldedObject {
    static let dataFieldNames = ["id", "fix", "count"]

    /// The findings of one cause, mostly a single one.
    let cause: FindingCause
    /// The store of a container that it is about; `nil` if only one store was checked, or it concerns all.
    var store: String?
    /// The file in which it was found.
    var url: URL?

    /// The first of them.
    var finding: Finding { cause.findings[0] }
    private var isOne: Bool { cause.count == 1 }

    var typeName: String { "finding" }

    static let fields = FieldTable<Self> {
        Field(column: "severity") { .text($0.finding.kind.severity.rawValue) }
        Field(column: "code") { .text($0.finding.kind.code) }
        Field(column: "table") { Value($0.finding.table) { .text($0) } }
        Field(column: "row") { $0.isOne ? Value($0.finding.row) { .integer(Int($0)) } : .nothing }
        Field(column: "what") { .text($0.cause.what) }
        Field("store", where: { $0.store != nil }) { Value($0.store, Value.text) }
        Field("count") { .integer($0.cause.count) }
        Field("id") {
            $0.isOne
                ? Value($0.finding.id) { .text($0) }
                : .list($0.cause.findings.compactMap { $0.id.map { .text($0) } })
        }
        Field("meaning") { .text($0.finding.kind.explained.title) }
        Field("mend") { .text($0.finding.kind.fix) }
        Field("fix") {
            $0.isOne
                ? Value($0.finding.repair) { .text($0) }
                : .list($0.cause.findings.compactMap { $0.repair.map { .text($0) } })
        }
    }

    var summary: String { "\(finding.kind.code): \(cause.what)" }
}
