import PluginKit

/// Kinds of error of devices and sync.
enum SyncErrors {
    static let device = ErrorKind(
        "E-DEVICE-UNKNOWN", "there is no such device",
        explanation: "`device list` lists the devices of the session; `device add phone NAME` adds one.")
    static let deviceName = ErrorKind(
        "E-DEVICE-NAME", "the device cannot be called so",
        explanation: """
            A device's name is a word of letters, digits, dashes and underscores that no other device has: it is the name \
            of its folder.
            """)
    static let noDevice = ErrorKind(
        "E-DEVICE-NONE", "no device is in use",
        explanation: "Syncing is done by a device: `device add phone NAME`, or `device use NAME`.")
    static let offline = ErrorKind(
        "E-SYNC-OFFLINE", "the device has no connection",
        explanation: """
            The device is offline, suspended or not running. Its edits wait in the outbox. `device online NAME` brings it \
            back.
            """)
    static let exhausted = ErrorKind(
        "E-SYNC-EXHAUSTED", "all attempts failed",
        explanation: """
            The cloud could not be reached in 4 attempts. What was to be sent waits in the outbox; the next sync tries \
            again. Nothing is lost.
            """)
    static let refused = ErrorKind(
        "E-SYNC-REFUSED", "the cloud refused",
        explanation:
            "The cloud answered with an error that trying again does not mend; the message tells which.")
    static let massDeletion = ErrorKind(
        "E-SYNC-MASSDELETE", "the sync would delete much",
        explanation: """
            A sync that would delete more than a tenth of a store stops and asks: a wrong folder or an emptied store looks \
            like that. `sync plan` shows what would be deleted; `--delete-many` says that it is meant.
            """)
    static let clock = ErrorKind(
        "E-SYNC-CLOCK", "the device's clock is far off",
        explanation: """
            The device's clock differs from the cloud's by more than a day. Its edits would win or lose every conflict for \
            years. Set it right (`device clock NAME 0s`); nothing is lost, the edits wait in the store.
            """)
    static let store = ErrorKind(
        "E-SYNC-STORE", "the device's own records cannot be read",
        explanation: "A file of the device's folder is damaged or not what it should be. Nothing was changed."
    )
    static let newer = ErrorKind(
        "E-SYNC-NEWER", "the file was written by a newer version",
        explanation: "A newer version of Rutter wrote the file in a way that this version does not know.")
    static let schema = ErrorKind(
        "E-SYNC-SCHEMA", "this is no cloud",
        explanation: "The database is something else, or another version's. Choose another with --cloud.")
    static let record = ErrorKind(
        "E-SYNC-RECORD", "there is no such record",
        explanation:
            "A record is named by the first letters of its id; `sync status` and `sync log` show them.")
    static let conflict = ErrorKind(
        "E-SYNC-NOCONFLICT", "there is no such conflict",
        explanation: "`sync conflicts` lists the values that lost, each with its number.")
    static let cloud = ErrorKind(
        "E-SYNC-CLOUD", "the cloud cannot be used",
        explanation: """
            A cloud is a file, or `postgres://USER@HOST/DATABASE`. The message tells what is wrong: no connection, a refused \
            password, a certificate that is not trusted, another schema.
            """)
    static let schedule = ErrorKind(
        "E-SYNC-SCHEDULE", "the schedule cannot be read",
        explanation: """
            A schedule is steps with semicolons between: a kind and three numbers (device, record, choice), such as \
            `edit 0 2 5; sync 0 0 61440`. `sync simulate` prints them.
            """)

    static let all = [
        device, deviceName, noDevice, offline, exhausted, refused, massDeletion, clock, store, newer, schema,
        record,
        conflict, cloud, schedule,
    ]
}
