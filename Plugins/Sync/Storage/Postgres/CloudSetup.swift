import PluginKit

/// Prepares a database for the cloud, as an administrator.
package enum CloudSetup {
    /// Creates or updates the tables, and lets roles use them. `quota` is the maximum number of bytes of
    /// photos and tracks per role.
    package static func run(_ address: String, accounts: [String], quota: Int64?) throws {
        try NativeLibrary.postgres.require()
        let connection = PostgresConnection(address)
        do {
            try connection.connect()
            try PostgresSchema.setup(connection, accounts: accounts, quota: quota)
        } catch let failure as CloudFailure {
            throw SyncErrors.cloud("\(failure)", at: .parameter("address"))
        } catch let refusal as PostgresConnection.Refusal {
            throw SyncErrors.cloud(refusal.message, at: .parameter("address"))
        }
    }
}
