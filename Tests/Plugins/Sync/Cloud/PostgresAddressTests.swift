import Testing

@testable import SyncPlugin

/// When a connection must be verified, and which failures are permanent.
@Suite struct PostgresAddressTests {
    @Test(arguments: [
        "postgres://anna@127.0.0.1/x", "postgres://anna:p@localhost:5433/x", "postgres://anna@[::1]/x",
        "postgres://example.org/x?sslmode=require",
    ])
    func theServerDecides(_ address: String) { #expect(PostgresAddress.sslMode(address) == nil) }

    @Test(arguments: [
        "postgres://anna@example.org/x", "postgres://anna:p@127.0.0.1.example.org/x",
        "postgres://anna:x@localhost@example.org/x", "postgres://127.0.0.1/x?host=example.org",
        "postgres://localhost/x?hostaddr=203.0.113.9", "postgres://[broken",
    ])
    func theCertificateIsChecked(_ address: String) {
        #expect(PostgresAddress.sslMode(address) == "verify-full")
    }

    @Test func refusalsAreForGood() {
        #expect(PostgresAddress.isRefusal("FATAL:  password authentication failed for user \"anna\""))
        #expect(PostgresAddress.isRefusal("SSL error: certificate verify failed"))
        #expect(PostgresAddress.isRefusal("FATAL:  database \"x\" does not exist"))
        #expect(!PostgresAddress.isRefusal("Connection refused"))
        #expect(!PostgresAddress.isRefusal("FATAL:  too many connections for role \"anna\""))
        #expect(!PostgresAddress.isRefusal("FATAL:  the database system is starting up"))
        #expect(!PostgresAddress.isRefusal("timeout expired"))
    }
}
