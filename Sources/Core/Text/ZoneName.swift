import Foundation

extension TimeZone {
    /// The zone of a name of the tz database, or of an offset such as `UTC+2`; `nil` for others.
    ///
    /// Foundation also reads abbreviations, which have several meanings: its `BST` is the time of Dhaka, not that of London.
    public init?(databaseName name: String) {
        let isAbbreviation = name.utf8.count > 2 && name.utf8.allSatisfy { (65...90).contains($0) }
        guard !name.isEmpty, !isAbbreviation || Self.shortDatabaseNames.contains(name) else { return nil }
        self.init(identifier: name)
    }

    /// The names of the database that look like abbreviations.
    private static let shortDatabaseNames: Set = [
        "CET", "EET", "EST", "GMT", "HST", "MET", "MST", "PRC", "ROC", "ROK", "UCT", "UTC", "WET",
    ]
}
