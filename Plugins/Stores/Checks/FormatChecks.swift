import PluginKit
import TrailStores

/// The checks of all formats.
enum FormatChecks {
    static let all: [any StoreChecking] = [
        WaypointChecks(), HikeChecks(), RoutingChecks(), TileChecks(), TransitChecks(), PlannedRouteChecks(),
        LocationChecks(), ToneChecks(),
        CloudChecks(), LinkChecks(),
    ]

    /// Their kinds of finding, for `explain`.
    static let findings =
        FileFindings.all + ReaderFindings.all + ContainerFindings.all + FormatFindings.all
        + SchemaFindings.all
        + WaypointFindings.all + HikeFindings.all + RoutingFindings.all + TileFindings.all
        + TransitFindings.all + PlannedRouteFindings.all + DocumentFindings.all + OwnFileFindings.all
}

/// Kinds of finding shared by all database formats.
enum FormatFindings {
    static let columns = FindingKind(
        .error, "F-FORMAT-TABLE", "a table or column is missing",
        why: "The format requires it, and apps cannot read the store without it.",
        fix: "find out which program wrote the file; missing parts cannot be guessed")
    static let older = FindingKind(
        .info, "F-FORMAT-OLDER", "the store is of an older version",
        why: "Later versions added columns. Missing columns read as empty.",
        fix: "none needed")
    static let all = [columns, older]

    /// Checks the tables and columns of a format.
    static func check(
        _ run: CheckRun, _ kind: StoreKind, missing: FindingKind = columns, older: FindingKind = older
    ) throws {
        guard let format = StoreFormat.of(kind) else { return }
        for table in format.tables {
            let present = FormatProfile.known(in: try run.columns(table.name))
            if present.isEmpty {
                run.add(missing, table: table.name, "missing table \(table.name)")
                continue
            }
            for column in table.needed where !present.contains(column) {
                run.add(missing, table: table.name, "missing column \(column)")
            }
            let absent = table.further.filter { !present.contains($0) }
            // Columns that Android's version never had do not indicate an older version.
            if !absent.isEmpty, run.profile.reader == .ios {
                run.add(older, table: table.name, "without \(absent.joined(separator: ", "))")
            }
        }
    }
}
