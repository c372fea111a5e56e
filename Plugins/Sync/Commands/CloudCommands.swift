import PluginKit

/// `cloud setup`
struct SetUpCloud: CommandProvider {
    let service: SyncService

    var name: String { "cloud setup" }

    var command: Command {
        Command(
            name, "create a cloud's tables in PostgreSQL",
            details: """
                Run once by an administrator of the database, and again for a new version. The tables belong to a role without \
                login; accounts can neither own them nor switch row-level security off. Each account is a role of the \
                server that already exists.
                """,
            .positional("address", .text, "postgres://ADMIN@HOST/DATABASE"),
            .options("account", .text, "role that may use the cloud; repeatable"),
            .option(
                "quota", .integer(0...Int.max), default: "0",
                "bytes of photos and tracks per account; 0: no limit"),
            output: .value("text"), effect: .changes,
            examples: [
                .init("not a server", "expect-error E-SYNC-CLOUD cloud setup cloud.db --account anna")
            ],
            searchTerms: [
                "own server", "postgres", "administrator", "schema", "role", "postgresql", "server", "s3",
            ]
        ) { context, address, accounts, quota in
            guard address.hasPrefix("postgres://") || address.hasPrefix("postgresql://") else {
                throw SyncErrors.cloud(
                    "cloud setup requires a PostgreSQL URL, not \(address)", at: .parameter("address"),
                    fix: "cloud setup postgres://ADMIN@HOST/DATABASE")
            }
            try service.checkNetwork(context, parameter: "address")
            try CloudSetup.run(address, accounts: accounts, quota: quota == 0 ? nil : Int64(quota))
            return .text(
                accounts.isEmpty
                    ? "the cloud is set up" : "the cloud is set up for \(accounts.joined(separator: ", "))")
        }
    }
}

/// `cloud restored`
struct CloudRestored: CommandProvider {
    let service: SyncService

    var name: String { "cloud restored" }

    var command: Command {
        Command(
            name, "make every device check a restored cloud",
            details: """
                Run after the cloud was restored from a backup: a new epoch begins, and every device fetches everything and sends what the \
                backup lacks. Devices also detect by themselves that the cloud's history has changed.
                """,
            RunSync.cloud,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "the workspace's cloud", "cloud restored", after: ["device add phone anna"],
                    gives: "a new epoch begins at change 0")
            ],
            searchTerms: [
                "icloud restored", "the cloud was restored from a backup", "older cloud",
                "send everything again", "full sync", "start sync again", "reset sync",
            ]
        ) { context, name in
            var cloud = try service.cloud(name, try service.device(context), context)
            do throws(CloudFailure) {
                try cloud.begin(epoch: context.random.next() | 1)
                return .text("a new epoch begins at change \(try cloud.latest())")
            } catch { throw SyncErrors.cloud("\(error)", at: .parameter("cloud")) }
        }
    }
}
