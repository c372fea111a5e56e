import Foundation

/// What an address of a server means for the connection, and what a connection that failed means for the next.
enum PostgresAddress {
    private static let ownHosts: Set<String> = ["127.0.0.1", "localhost", "::1", "[::1]"]
    /// Parameters that name another host than the one that stands in its place.
    private static let hostNames: Set<String> = ["host", "hostaddr", "service", "servicefile"]

    /// How TLS is used where the address does not say: beyond this machine nothing goes without a certificate that is
    /// checked, name and all. `nil` leaves it to the server.
    static func sslMode(_ address: String) -> String? {
        guard let parts = URLComponents(string: address) else { return "verify-full" }
        let names = Set((parts.queryItems ?? []).map { $0.name.lowercased() })
        if names.contains("sslmode") { return nil }
        let isOwn = ownHosts.contains(parts.host?.lowercased() ?? "") && names.isDisjoint(with: hostNames)
        return isOwn ? nil : "verify-full"
    }

    /// Whether a connection was refused for a reason that does not go away by itself. Connections that fail have no SQLSTATE;
    /// the words are those of libpq and of the server, which are English where their locale is C.
    static func isRefusal(_ message: String) -> Bool { refusals.contains { message.contains($0) } }

    private static let refusals = [
        "authentication failed", "no password supplied", "no pg_hba.conf entry", "does not exist",
        "certificate",
        "does not support SSL", "SSL error", "is not permitted to log in", "invalid", "is not installed",
    ]
}
