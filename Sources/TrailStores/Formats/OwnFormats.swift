/// Rutter's own databases, in addition to those of apps.
extension StoreFormat {
    /// Application IDs in SQLite's header that identify Rutter's own files, whatever the version of their tables.
    public enum ApplicationID {
        /// The embedded cloud: "RtCl".
        public static let cloud: Int64 = 0x5274_436C
        /// The link between watch and phone: "RtLk".
        public static let link: Int64 = 0x5274_4C6B
    }

    static let own: [StoreFormat] = [
        StoreFormat(
            .cloud,
            [
                Table(
                    "records", key: ["zone", "type", "name"],
                    needed: ["zone", "type", "name", "tag", "deleted", "content"]),
                Table("zones", key: ["name"], needed: ["name", "head", "floor", "lineage"]),
                Table(
                    "operations", key: ["zone", "device", "number"],
                    needed: ["zone", "device", "number", "tag"]),
                Table("blobs", key: ["zone", "name"], needed: ["zone", "name", "content"]),
            ], applicationID: ApplicationID.cloud),
        StoreFormat(
            .link,
            [
                Table(
                    "link_items", key: ["id"],
                    needed: ["id", "message", "sender", "receiver", "channel", "payload", "state"])
            ],
            applicationID: ApplicationID.link),
    ]
}
