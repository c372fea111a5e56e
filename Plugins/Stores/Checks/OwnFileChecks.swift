import PluginKit

/// The kinds of finding in Rutter's own files.
enum OwnFileFindings {
    static let zone = FindingKind(
        .error, "F-CLOUD-ZONE", "a zone of the cloud is invalid",
        why: """
            Every record, operation and blob is in an existing zone. `head` counts the changes of a zone, `floor` is \
            the change up to which deletions were discarded: 0 ≤ floor ≤ head.
            """, fix: "restore an earlier copy of the cloud's file; devices resend what it lacks")
    static let tag = FindingKind(
        .error, "F-CLOUD-TAG", "a change's number is out of range",
        why:
            "Changes are numbered from 1 to the zone's head. Devices pull the changes after a number, and miss this one.",
        fix: "restore an earlier copy of the cloud's file; devices resend what it lacks")
    static let record = FindingKind(
        .error, "F-CLOUD-RECORD", "a record of the cloud cannot be read",
        why: "`deleted` is 0 or 1, and `content` the fields of the record, as bytes.",
        fix: "edit the record on a device; the device sends it again")
    static let state = FindingKind(
        .error, "F-LINK-STATE", "an item on the link has an unknown state or channel",
        why: """
            Channels are userInfo, file, context and message; states queued, applied, duplicate, unknown, failed, \
            dropped and replaced.
            """, fix: "send it again")
    static let payload = FindingKind(
        .error, "F-LINK-PAYLOAD", "a message of the link cannot be read",
        why: "A payload is a JSON object with a `type`.", fix: "send it again")
    static let all = [zone, tag, record, state, payload]
}

/// Checks the rules of the file of an embedded cloud.
struct CloudChecks: StoreChecking {
    let kind = StoreKind.cloud

    /// Checks every zone, record, operation and blob.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind)
        guard try run.has("zones", "name", "head", "floor"), try run.has("records", "zone", "tag") else {
            return
        }
        try run.find(
            OwnFileFindings.zone, table: "zones",
            """
            SELECT NULL, name, 'zone ' || name || ': floor ' || floor || ', head ' || head FROM zones
              WHERE typeof(head) <> 'integer' OR typeof(floor) <> 'integer' OR floor < 0 OR floor > head
            """)
        for table in ["records", "operations", "blobs"] where try run.has(table, "zone") {
            try run.find(
                OwnFileFindings.zone, table: table,
                """
                SELECT NULL, zone, 'unknown zone ' || zone FROM \(table) AS t
                  WHERE NOT EXISTS (SELECT 1 FROM zones WHERE zones.name IS t.zone)
                """)
        }
        for table in ["records", "operations"] where try run.has(table, "zone", "tag") {
            try run.find(
                OwnFileFindings.tag, table: table,
                """
                SELECT NULL, NULL, 'change ' || t.tag || ' of a zone whose head is ' || z.head FROM \(table) AS t
                  JOIN zones AS z ON z.name = t.zone
                  WHERE typeof(t.tag) <> 'integer' OR t.tag < 1 OR t.tag > z.head
                """)
        }
        if try run.has("records", "name", "deleted", "content") {
            try run.find(
                OwnFileFindings.record, table: "records",
                """
                SELECT NULL, name, 'deleted is ' || deleted || ', content ' || typeof(content) FROM records
                  WHERE deleted NOT IN (0, 1) OR typeof(content) <> 'blob'
                """)
        }
    }
}

/// Checks the rules of the file of a link between watch and phone.
struct LinkChecks: StoreChecking {
    let kind = StoreKind.link

    /// Checks every item.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind)
        guard try run.has("link_items", "id", "message", "channel", "payload", "state") else { return }
        try run.find(
            OwnFileFindings.state, table: "link_items",
            """
            SELECT id, message, 'channel ' || channel || ', state ' || state FROM link_items
              WHERE channel NOT IN ('userInfo', 'file', 'context', 'message') OR state NOT IN
                ('queued', 'applied', 'duplicate', 'unknown', 'failed', 'dropped', 'replaced')
            """)
        try run.find(
            OwnFileFindings.payload, table: "link_items",
            """
            SELECT id, message, 'payload of ' || length(payload) || ' characters' FROM link_items
              WHERE CASE WHEN json_valid(payload) THEN json_type(payload) <> 'object' ELSE 1 END
            """)
    }
}
