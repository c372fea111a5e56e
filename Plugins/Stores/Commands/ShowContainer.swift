import PluginKit
import TrailStores

/// `container show`
struct ShowContainer: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["path", "kind", "version", "rows", "bytes", "written", "note"]

    var name: String { "container show" }

    var command: Command {
        Command(
            name, "list the content of an app's container",
            details: """
                Lists every store with its log, region metadata, preferences and stray files, recognised by content; pictures are counted. \
                `version` is that of the schema, `written` the last change of the file or its log.
                """,
            .optional("container", .text, "open container, or a folder or archive; default: the one in use")
                .completing(.openStoresAndFiles),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("none is open", "expect-error E-STORE-NONE container show")
            ],
            searchTerms: [
                "tables of an app",
                "open a backup", "backup of an app", "phone backup", "folder", "simulator", "adb",
                "bug report", "files", "app folder", "app container",
            ]
        ) { context, name in
            guard let container = try registry.container(name, parameter: "container", context) else {
                throw StoreSessionErrors.none(
                    name.map { "\($0) is not a container" } ?? "no container is in use",
                    fix: "`store open FOLDER`, or pass a folder or archive")
            }
            let shown = container.items.filter { $0.role != .picture }
            let rows = shown.map { item -> [Value] in
                [
                    .text(item.path), .text(item.kind), Value(item.version) { .text($0) },
                    Value(item.rows) { .integer($0) }, .integer(item.bytes),
                    Value(item.written) { .date($0) }, item.note.isEmpty ? .nothing : .text(item.note),
                ]
            }
            var table = Rows(
                columns: Self.columns, cells: rows, note: ContainerObject(container: container).summary)
            table.account = container.account
            table.cut = Cut(
                missing: container.left, "at most \(ContainerSettings.mostItems) files are read")
            return .rows(table)
        }
    }
}

/// An open container as a value of the workbench.
struct ContainerObject: FieldedObject {
    let container: AppContainer

    var typeName: String { "container" }
    static let fields = FieldTable<Self> {
        Field("name") { .text($0.container.name) }
        Field("kind") { _ in .text("container") }
        Field("stores") { .list($0.container.stores.map { .text("\($0.storeKind?.name ?? "") \($0.path)") }) }
        Field("damaged") { .integer($0.damaged) }
        Field("files") { .integer($0.container.items.count) }
        Field("bytes") { .integer($0.container.items.reduce(0) { $0 + $1.bytes }) }
        Field("missing", where: { !$0.container.faults.isEmpty }) {
            .list($0.container.faults.map { .text($0) })
        }
        Field("account") { .object(AccountObject($0.container.account)) }
        Field("path") { .text($0.container.url.path) }
    }

    private var damaged: Int { container.items.count { $0.role == .damaged } }

    var summary: String {
        let pictures = container.items.count { $0.role == .picture }
        let words = [
            "\(container.stores.count, of: "store")",
            damaged > 0 ? "\(damaged) damaged" : nil,
            pictures > 0 ? "\(pictures, of: "picture")" : nil,
        ]
        let found = "\(words.compactMap(\.self).joined(separator: ", ")) in \(container.name)"
        return ([found] + container.faults).joined(separator: "; ")
    }
}
