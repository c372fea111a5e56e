import Foundation
import GRDB

/// Makes a timetable as shipped by an app: only the tables of the format, optionally in an older form.
enum ShippedStore {
    /// Writes a copy without our columns and tables, without indexes, R*Tree and search. Without start times every trip
    /// gets a pattern of its own, whose offsets are times of the day.
    static func make(from database: URL, to url: URL, keepsStartTimes: Bool) throws {
        try FileManager.default.copyItem(at: database, to: url)
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    DROP TABLE stops_rtree; DROP TABLE stops_fts; DROP TABLE frequencies;
                    DROP INDEX idx_pattern_stops_sid_offset; DROP INDEX idx_trips_pid_start; DROP INDEX idx_stops_parent; DROP INDEX idx_stops_code;
                    ALTER TABLE stops DROP COLUMN primary_route_type;
                    ALTER TABLE pattern_stops DROP COLUMN pickup_type;
                    ALTER TABLE pattern_stops DROP COLUMN stop_headsign;
                    ALTER TABLE pattern_stops DROP COLUMN feed_sequence;
                    ALTER TABLE pattern_stops DROP COLUMN drop_off_type; DROP TABLE transfers;
                    ALTER TABLE pattern_stops DROP COLUMN note;
                    ALTER TABLE trips DROP COLUMN shape; DROP TABLE shapes;
                    ALTER TABLE patterns DROP COLUMN last_sequence;
                    ALTER TABLE patterns DROP COLUMN first_start_secs;
                    ALTER TABLE patterns DROP COLUMN last_start_secs;
                    ALTER TABLE patterns DROP COLUMN has_frequencies;
                    ALTER TABLE trips DROP COLUMN frequency_based;
                    DELETE FROM metadata WHERE key <> 'timezone';
                    """)
            if !keepsStartTimes {
                try db.execute(
                    sql: """
                        CREATE TABLE new_calls AS SELECT t.rowid AS pid, c.stop_sequence, c.sid,
                          c.arrival_offset_secs + t.start_time_secs AS arrival_offset_secs,
                          c.departure_offset_secs + t.start_time_secs AS departure_offset_secs
                          FROM pattern_stops c JOIN trips t ON t.pid = c.pid;
                        DELETE FROM pattern_stops; DELETE FROM patterns; DELETE FROM dict_pattern;
                        INSERT INTO pattern_stops SELECT * FROM new_calls;
                        INSERT INTO patterns SELECT rowid, rid, direction_id FROM trips;
                        UPDATE trips SET pid = rowid;
                        ALTER TABLE trips DROP COLUMN start_time_secs;
                        DROP TABLE new_calls;
                        """)
            }
            try db.execute(sql: "VACUUM")
        }
        try queue.close()
    }
}
