import Foundation
import PluginKit
import TrailStores

/// `store open`
struct OpenStore: CommandProvider {
    let registry: StoreRegistry

    /// The key of an encrypted store; `nil` of any other.
    private static let key = Parameter<String?>.group(
        .option("key", .text, "key of SQLCipher: a passphrase, or x'…'"),
        .option("key-file", .inputFile, "file with the key in its first line")
    ) { key, file in
        guard let file else { return key }
        if key != nil {
            throw StoreSessionErrors.key(
                "--key and --key-file cannot be combined", at: .parameter("key-file"),
                fix: "use only one of them")
        }
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw StoreSessionErrors.key(
                "\(file.lastPathComponent) is no text in UTF-8", at: .parameter("key-file"),
                fix: "write a raw key as x'…' with hexadecimal digits into its first line")
        }
        return String(text.prefix { !$0.isNewline })
    }

    var name: String { "store open" }

    var command: Command {
        Command(
            name, "open another program's store or container",
            details: """
                A folder, a ZIP or a tar archive is an app's container: every store in it is opened, found by content (`container show` \
                lists everything), and commands of any kind work on the container's store of that kind. \
                The kind of store is recognised by its content, not by its name: `sure` shows how certain that is, `because` \
                the evidence. JSON documents are read as a table with a row per document. Commands for this kind of \
                store then work on it until `store use` without a name returns to your own stores. Opened for reading, \
                neither the file nor its folder changes: if another program keeps a write-ahead log or a journal beside it, a copy of both is \
                read (of a large store a copy of the log alone); each command reads later changes. With --write, missing columns are added to older stores \
                when a command first works on them. A database that SQLCipher has encrypted is opened with its key: a decrypted copy is read, \
                which is deleted when the store is closed. The key is not stored in transcripts; a notebook reads it with --key-file.
                """,
            .positional(
                "file", .inputPath,
                "database, folder of planned routes, locations, tones, container"),
            .flag("write", "open for writing"),
            .option("name", .text, "name of the store; default: the file's without extension"),
            .flag("aside", "open to look into it: commands go on with the stores in use"),
            Self.key,
            output: .value("store"), effect: .changes,
            examples: [
                .init(
                    "a key for a store that needs none",
                    "expect-error E-STORE-KEY store open plain.db --key secret",
                    after: ["store copy :memory: plain.db"]),
                .init(
                    "not a database",
                    "'no database' | save notes.db; expect-error E-STORE-NOTDB store open notes.db"),
            ],
            searchTerms: [
                "database file",
                "sqlite", "database", "db", "open an app database", "look into an app", "inspect database",
                "app data", "core data", "look into a file of an app", "read only", "which app wrote",
                "whose database",
            ]
        ) { context, file, write, name, isAside, key in
            let used = context.stores.current?.name
            // Adding a store uses it.
            defer { if isAside { _ = context.stores.use(used) } }
            if let entry = StoreRegistry.entry(of: file, context) {
                throw StoreSessionErrors.openAlready(
                    "\(file.lastPathComponent) is already open as \(entry.name)", at: .parameter("file"),
                    fix: "store use \(Literal.text(entry.name))")
            }
            if StoreRegistry.isOwn(file, context) {
                throw StoreSessionErrors.own(
                    "\(file.lastPathComponent) is one of your own stores", at: .parameter("file"),
                    fix: "pass its name to the command: store check \(file.lastPathComponent)")
            }
            let name = try freeName(name, file, context)
            if let key {
                if write {
                    throw StoreErrors.readOnly(
                        "an encrypted store is opened for reading only", at: .parameter("write"),
                        fix:
                            "open it without --write, `store copy` it by its name, and open the copy with --write"
                    )
                }
                return try open(file, key, name, isAside, context)
            }
            if let container = try StoreRegistry.container(at: file, name: name, context) {
                return try open(container, write: write, context)
            }
            if write { try requireWritable(file, context) }
            // Recognised read-only: a file of unknown kind must not be touched, not even by a lock.
            var connection = try StoreConnection.reading(file)
            let recognised = try StoreRecognition(connection)
            if write, connection.recognition != nil {
                throw StoreErrors.readOnly(
                    "\(file.lastPathComponent) contains documents, which are opened for reading only",
                    at: .parameter("write"),
                    fix: "`store adopt` it, and change your own copy")
            }
            if write { connection = try StoreConnection(file, access: .foreignWritable) }
            let entry = context.stores.add(
                OpenStores.Entry(name: name, kind: recognised.kind, url: file, isWritable: write))
            registry.put(connection, for: entry)
            var object = StoreObject(entry: entry, isInUse: !isAside, recognised: recognised)
            object.damage = try StoreDamage.words(connection) ?? FileFindings.foreignLogWords(file)
            object.account = StoreAccount.account(of: entry)
            if let account = object.account { context.keep([account], by: self.name) }
            return .object(object)
        }
    }

    /// Opens a decrypted copy of a store.
    private func open(
        _ file: URL, _ key: String, _ name: String, _ isAside: Bool, _ context: Context
    ) throws -> Value {
        let folder = try ScratchFolder()
        let connection = try StoreConnection.reading(
            try EncryptedStore(url: file).decrypt(key, into: folder.url))
        let recognised = try StoreRecognition(connection)
        let entry = context.stores.add(
            OpenStores.Entry(name: name, kind: recognised.kind, url: connection.url, isWritable: false))
        registry.put(connection, for: entry, keeping: folder)
        return .object(StoreObject(entry: entry, isInUse: !isAside, recognised: recognised))
    }

    /// Opens every store of a container and uses the first one.
    private func open(_ container: AppContainer, write: Bool, _ context: Context) throws -> Value {
        if write {
            throw StoreErrors.readOnly(
                "\(container.name) is a container, which is opened for reading only", at: .parameter("write"),
                fix: "open one of its stores with --write")
        }
        registry.put(container)
        var first: String?
        for item in container.stores {
            guard let kind = item.storeKind else { continue }
            var name = "\(container.name)/\(item.stem)"
            while context.stores.entries.contains(where: { $0.name == name }) { name += "_2" }
            _ = context.stores.add(
                OpenStores.Entry(
                    name: name, kind: kind, url: item.url, isWritable: false, container: container.name))
            first = first ?? name
        }
        _ = context.stores.use(first)
        context.keep([container.account], by: self.name)
        return .object(ContainerObject(container: container))
    }

    private func requireWritable(_ url: URL, _ context: Context) throws {
        // A notebook may read its data but write only its workspace.
        do {
            _ = try context.files.output(url.path)
        } catch let error as RutterError where error.code == CommonErrors.confined.code {
            throw CommonErrors.confined("\(url.lastPathComponent) is not writable here")
                .located(at: .parameter("file"))
        }
        guard access(url.path, W_OK) == 0 else {
            throw CommonErrors.fileAccess(
                "\(url.lastPathComponent) may not be written: \(String(cString: strerror(errno)))",
                at: .parameter("file"), fix: "open it without --write")
        }
    }

    private func freeName(_ wanted: String?, _ url: URL, _ context: Context) throws -> String {
        guard let wanted else { return context.stores.freeName(for: url) }
        guard !wanted.isEmpty, !context.stores.entries.contains(where: { $0.name == wanted }) else {
            let problem = wanted.isEmpty ? "the name is empty" : "a store named \(wanted) is already open"
            throw StoreSessionErrors.nameTaken(problem, at: .parameter("name"))
        }
        return wanted
    }
}
