/// The databases that Rutter itself keeps beside those of apps.
extension StoreFormat {
    /// Names in SQLite's header that tell Rutter's own files, whatever version their tables are of.
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
                Table("cloud_zones", key: ["zone"], needed: ["zone", "head", "floor", "epoch"]),
                Table("cloud_records", key: ["zone", "name"], needed: ["zone", "name", "type", "number"]),
            ], applicationID: ApplicationID.cloud),
        StoreFormat(
            .link, [Table("link_queue", key: ["id"], needed: ["id", "channel", "payload"])],
            applicationID: ApplicationID.link),
    ]
}
