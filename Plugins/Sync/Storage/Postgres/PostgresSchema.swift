/// The tables of the cloud in PostgreSQL. An administrator creates them once (`cloud setup`); they belong to
/// a role without login. Accounts are members of another role, which may read and write rows, and nothing
/// else: the owner of a table could switch its row-level security off.
enum PostgresSchema {
    /// The version of the tables.
    static let version: Int64 = 4
    static let owner = "rutter_owner"
    static let accounts = "rutter_account"

    /// Creates roles and tables, or updates those of an older version, and lets accounts use them: everything or nothing.
    /// Concurrent runs wait for each other.
    static func setup(_ connection: PostgresConnection, accounts admitted: [String], quota: Int64?) throws {
        try connection.script("BEGIN; SELECT pg_advisory_xact_lock(7170190)")
        do {
            for role in [owner, accounts] {
                try connection.script(
                    """
                    DO $do$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(role)') THEN
                        CREATE ROLE \(role) NOLOGIN; END IF; END $do$
                    """)
            }
            try connection.script("GRANT \(owner) TO CURRENT_USER")
            let found = try installed(connection)
            guard found ?? 0 <= version else {
                throw PostgresConnection.Refusal(
                    state: "0A000", message: "the schema rutter is of version \(found ?? 0), not \(version)")
            }
            if found == nil { try connection.script(tables) }
            if found == 1 { try connection.script(migration) }
            if let found, found < 3 { try connection.script(third) }
            if let found, found < version { try connection.script(fourth) }
            if found != version { try connection.script(rights) }
            for account in admitted { try admit(account, quota: quota, connection) }
            try connection.script("COMMIT")
        } catch {
            try? connection.script("ROLLBACK")
            throw error
        }
    }

    /// Allows a role of the server to use the cloud.
    private static func admit(_ account: String, quota: Int64?, _ connection: PostgresConnection) throws {
        let name = account.replacingOccurrences(of: "\"", with: "\"\"")
        try connection.script("GRANT \(accounts) TO \"\(name)\"")
        if let quota {
            try connection.run(
                """
                INSERT INTO rutter.quotas VALUES ($1, $2)
                ON CONFLICT (owner) DO UPDATE SET bytes = excluded.bytes
                """, [.text(account), .integer(quota)])
        }
    }

    /// The version of the tables; `nil` if there are none. Throws if they may not be used.
    static func installed(_ connection: PostgresConnection) throws -> Int64? {
        let isThere = try connection.run("SELECT to_regclass('rutter.format') IS NOT NULL") {
            $0[0, 0]?.isTrue ?? false
        }
        if !isThere { return nil }
        return try connection.run("SELECT max(version)::bigint FROM rutter.format") { $0[0, 0]?.number }
    }

    private static let tables = """
        CREATE SCHEMA rutter;
        CREATE TABLE rutter.format (version integer NOT NULL);
        INSERT INTO rutter.format VALUES (3);
        CREATE TABLE rutter.zones (
            owner name PRIMARY KEY, head bigint NOT NULL, floor bigint NOT NULL, lineage bytea NOT NULL, channel text NOT NULL);
        CREATE TABLE rutter.records (
            owner name NOT NULL, type smallint NOT NULL, name text COLLATE "C" NOT NULL, tag bigint NOT NULL,
            deleted boolean NOT NULL, content bytea NOT NULL, PRIMARY KEY (owner, type, name));
        CREATE UNIQUE INDEX records_changes ON rutter.records (owner, tag);
        CREATE TABLE rutter.operations (
            owner name NOT NULL, device bigint NOT NULL, number bigint NOT NULL, tag bigint NOT NULL, digest bigint,
            PRIMARY KEY (owner, device, number));
        CREATE TABLE rutter.blobs (owner name NOT NULL, name text NOT NULL, content bytea NOT NULL, PRIMARY KEY (owner, name));
        \(second)
        \(third)
        \(fourth)
        """

    /// Added by the fourth version. `settled`: the number up to which a device's operations are settled;
    /// `floors`: the number up to which a replica's operations are discarded.
    private static let fourth = """
        ALTER TABLE rutter.devices ADD COLUMN settled bigint NOT NULL DEFAULT 0;
        CREATE TABLE rutter.floors (
            owner name NOT NULL, device bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (owner, device));
        UPDATE rutter.format SET version = 4;
        """

    /// Added by the third version: blobs in parts. `whole`: all parts have arrived; `number`: the zone's head
    /// when the blob was last requested or sent.
    private static let third = """
        ALTER TABLE rutter.blobs ADD COLUMN whole boolean NOT NULL DEFAULT true, ADD COLUMN number bigint NOT NULL DEFAULT 0;
        CREATE TABLE rutter.parts (
            owner name NOT NULL, name text NOT NULL, start bigint NOT NULL, content bytea NOT NULL,
            PRIMARY KEY (owner, name, start));
        CREATE TABLE rutter.devices (
            owner name NOT NULL, device bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (owner, device));
        CREATE TRIGGER added AFTER INSERT ON rutter.parts REFERENCING NEW TABLE AS changed
            FOR EACH STATEMENT EXECUTE FUNCTION rutter.count_usage();
        CREATE TRIGGER removed AFTER DELETE ON rutter.parts REFERENCING OLD TABLE AS changed
            FOR EACH STATEMENT EXECUTE FUNCTION rutter.count_usage();
        UPDATE rutter.format SET version = 3;
        """

    /// Added by the second version.
    private static let second = """
        CREATE TABLE rutter.history (
            owner name NOT NULL, number bigint NOT NULL, hash bigint NOT NULL, PRIMARY KEY (owner, number));
        CREATE TABLE rutter.quotas (owner name PRIMARY KEY, bytes bigint NOT NULL);
        CREATE TABLE rutter.usage (owner name PRIMARY KEY, bytes bigint NOT NULL);
        CREATE FUNCTION rutter.count_usage() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $f$
        DECLARE limit_ bigint; used bigint; who name; size bigint;
        BEGIN
            FOR who, size IN
                SELECT owner, sum(length(content))::bigint * CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END
                FROM changed GROUP BY owner
            LOOP
                INSERT INTO rutter.usage VALUES (who, size)
                    ON CONFLICT (owner) DO UPDATE SET bytes = rutter.usage.bytes + excluded.bytes RETURNING bytes INTO used;
                SELECT bytes INTO limit_ FROM rutter.quotas WHERE owner = who;
                IF used > limit_ THEN
                    RAISE EXCEPTION 'the quota of % bytes is used up', limit_ USING ERRCODE = 'P0001';
                END IF;
            END LOOP;
            RETURN NULL;
        END $f$;
        CREATE TRIGGER added AFTER INSERT ON rutter.blobs REFERENCING NEW TABLE AS changed
            FOR EACH STATEMENT EXECUTE FUNCTION rutter.count_usage();
        CREATE TRIGGER removed AFTER DELETE ON rutter.blobs REFERENCING OLD TABLE AS changed
            FOR EACH STATEMENT EXECUTE FUNCTION rutter.count_usage();
        """

    /// Migrates the first version, whose tables belong to the role that connected first.
    private static let migration = """
        ALTER TABLE rutter.operations ADD COLUMN digest bigint;
        \(second)
        INSERT INTO rutter.history SELECT owner, head, (random() * 9e18)::bigint FROM rutter.zones WHERE head > 0;
        INSERT INTO rutter.usage SELECT owner, sum(length(content)) FROM rutter.blobs GROUP BY owner;
        """

    /// Ownership, row-level security and grants.
    private static let rights = """
        REVOKE ALL ON SCHEMA rutter FROM PUBLIC;
        ALTER SCHEMA rutter OWNER TO \(owner);
        GRANT USAGE ON SCHEMA rutter TO \(accounts);
        ALTER FUNCTION rutter.count_usage() OWNER TO \(owner);
        DO $do$ DECLARE t text; BEGIN
            FOREACH t IN ARRAY ARRAY['format', 'zones', 'records', 'operations', 'floors', 'blobs', 'parts', 'devices', 'history', 'quotas', 'usage'] LOOP
                EXECUTE format('ALTER TABLE rutter.%I OWNER TO \(owner)', t);
                EXECUTE format('REVOKE ALL ON rutter.%I FROM PUBLIC', t);
                EXECUTE format('GRANT SELECT ON rutter.%I TO \(accounts)', t);
            END LOOP;
            FOREACH t IN ARRAY ARRAY['zones', 'records', 'operations', 'floors', 'blobs', 'parts', 'devices', 'history', 'quotas', 'usage'] LOOP
                EXECUTE format('ALTER TABLE rutter.%I ENABLE ROW LEVEL SECURITY', t);
                EXECUTE format('DROP POLICY IF EXISTS own ON rutter.%I', t);
                EXECUTE format('CREATE POLICY own ON rutter.%I TO \(accounts) USING (owner = current_user) WITH CHECK (owner = current_user)', t);
                EXECUTE format('ALTER TABLE rutter.%I NO FORCE ROW LEVEL SECURITY', t);
            END LOOP;
            FOREACH t IN ARRAY ARRAY['zones', 'records', 'operations', 'floors', 'blobs', 'parts', 'devices', 'history'] LOOP
                EXECUTE format('GRANT INSERT, UPDATE, DELETE ON rutter.%I TO \(accounts)', t);
            END LOOP;
        END $do$;
        """
}
