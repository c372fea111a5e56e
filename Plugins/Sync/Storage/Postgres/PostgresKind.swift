import PluginKit

/// A cloud in PostgreSQL.
enum PostgresKind: CloudKind {
    static let schemes = ["postgres", "postgresql"]
    static let pattern = "postgres://USER@HOST/DATABASE"
    static let usesNetwork = true
    static let libraries: [NativeLibrary] = [.postgres]

    static func open(_ address: CloudAddress) throws -> any CloudBackend {
        try PostgresCloud(address.text ?? "", epoch: address.epoch)
    }
}
