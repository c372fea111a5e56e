import Foundation
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// Databases that SQLCipher's own shell has encrypted.
@Suite(.needs(.cipher), .enabled(if: SQLCipherShell.isThere, "needs sqlcipher"))
struct EncryptedStoreTests {
    private let session: TestSession

    init() throws {
        session = try Fixture.session()
        try Fixture.change(
            session.file("plain.db"),
            """
            CREATE TABLE waypoints(id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, altitude REAL,
              timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '', category TEXT NOT NULL DEFAULT 'custom',
              note TEXT NOT NULL DEFAULT '', has_photo INTEGER NOT NULL DEFAULT 0, hike_id TEXT, photo_data BLOB,
              photo_thumbnail BLOB);
            CREATE INDEX idx_waypoints_hike ON waypoints(hike_id);
            CREATE INDEX idx_waypoints_location ON waypoints(latitude, longitude);
            PRAGMA user_version = 12;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO waypoints SELECT printf('5EED0000-0000-4000-8000-%012X', i), 46.5 + i / 1000.0, 7.9, NULL,
              '2026-01-05T08:00:00.123Z', 'Place ' || i, 'custom', 'Größe', 0, NULL, NULL, NULL FROM n
            """)
    }

    /// The store of 200 rows, encrypted with a key in SQL; returns the file's bytes.
    private func encrypt(_ key: String, _ name: String, _ settings: String = "") throws -> [UInt8] {
        let url = session.file(name)
        let output = try RutterProcess.shell(
            "sqlcipher",
            [
                session.file("plain.db").path,
                "ATTACH '\(url.path)' AS e KEY \(key); \(settings) SELECT sqlcipher_export('e'); PRAGMA e.user_version = 12; DETACH e;",
            ])
        try #require(output != nil)
        return Array(try Data(contentsOf: url))
    }

    private static let raw = "x'2DD29CA851E7B56E4697B0E1F08507293D761A05CE4D1B628663F411A8086D99'"

    @Test(arguments: ["'hut at the lake'", "\"\(raw)\"", "'grün'"])
    func aKeyOpensIt(_ key: String) async throws {
        let bytes = try encrypt(key, "app.db")
        #expect(!bytes.starts(with: Array("SQLite format 3".utf8)))
        #expect(await session.result("store open app.db").failure?.code == "E-STORE-NOTDB")
        #expect(await session.run("store open app.db").contains("--key"))
        #expect(await session.run("store open app.db --key \(key) | get kind") == "waypoints")
        #expect(await session.run("sql 'SELECT count(*) AS n FROM waypoints' | get n") == "200")
        #expect(await session.run("sql 'SELECT note FROM waypoints LIMIT 1' | get note") == "Größe")
        #expect(await session.run("sql 'PRAGMA user_version' | get user_version") == "12")
        #expect(await session.run("store diff plain.db app | count") == "0")
        // Neither the file nor its folder has changed.
        #expect(Array(try Data(contentsOf: session.file("app.db"))) == bytes)
        #expect(await session.run("store close app") == "closed app")
    }

    @Test func aKeyFromAFile() async throws {
        _ = try encrypt("'two words'", "app.db")
        try Data("two words\n".utf8).write(to: session.file("key.txt"))
        #expect(await session.run("store open app.db --key-file key.txt | get kind") == "waypoints")
        #expect(
            await session.result("store open app.db --key-file key.txt --key x").failure?.code
                == "E-STORE-KEY")
        try Data([0x9C, 0x80, 0xC1]).write(to: session.file("raw.key"))
        #expect(
            await session.result("store open app.db --key-file raw.key").failure?.code == "E-STORE-KEY")
    }

    /// Files of older versions are opened without settings.
    @Test(arguments: [
        "PRAGMA e.kdf_iter = 4000;", "PRAGMA e.cipher_use_hmac = OFF; PRAGMA e.kdf_iter = 4000;",
    ])
    func anOlderFormat(_ settings: String) async throws {
        _ = try encrypt("'old'", "app.db", settings)
        #expect(await session.run("store open app.db --key old | get kind") == "waypoints")
    }

    @Test func aWrongKeyIsAnError() async throws {
        _ = try encrypt("'right'", "app.db")
        #expect(await session.result("store open app.db --key wrong").failure?.code == "E-STORE-KEY")
        #expect(await session.result("store open plain.db --key wrong").failure?.code == "E-STORE-KEY")
        #expect(
            await session.result("store open app.db --key right --write").failure?.code == "E-STORE-READONLY")
        #expect(await session.run("store list | count") == "0")
    }

    /// A page whose checksum is wrong is not left out silently.
    @Test func aDamagedFileIsAnError() async throws {
        var bytes = try encrypt("'right'", "app.db")
        for index in bytes.count / 2..<bytes.count / 2 + 200 { bytes[index] ^= 0x55 }
        try Data(bytes).write(to: session.file("bad.db"))
        #expect(await session.result("store open bad.db --key right").failure?.code == "E-STORE-CORRUPT")
        #expect(await session.run("store list | count") == "0")
    }
}
