import Foundation

/// Options of a connection derived from an address, and whether a failed connection is worth a retry.
enum PostgresAddress {
    private static let ownHosts: Set<String> = ["127.0.0.1", "localhost", "::1", "[::1]"]
    /// Parameters that name a host other than the one in the address.
    private static let hostNames: Set<String> = ["host", "hostaddr", "service", "servicefile"]

    /// The TLS mode if the address does not set one: connections to other machines require a verified
    /// certificate with a matching name. `nil` leaves the choice to the server.
    static func sslMode(_ address: String) -> String? {
        guard let parts = URLComponents(string: address) else { return "verify-full" }
        let names = Set((parts.queryItems ?? []).map { $0.name.lowercased() })
        if names.contains("sslmode") { return nil }
        let isOwn = ownHosts.contains(parts.host?.lowercased() ?? "") && names.isDisjoint(with: hostNames)
        return isOwn ? nil : "verify-full"
    }

    /// Whether a connection was refused for a permanent reason. Failed connections have no SQLSTATE; the
    /// words are those of libpq and of the server, which are English if their locale is C.
    static func isRefusal(_ message: String) -> Bool { refusals.contains { message.contains($0) } }

    private static let refusals = [
        "authentication failed", "no password supplied", "no pg_hba.conf entry", "does not exist",
        "certificate",
        "does not support SSL", "SSL error", "is not permitted to log in", "invalid", "is not installed",
    ]
}
