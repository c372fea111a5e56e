import PluginKit

/// Kinds of error of devices and sync.
enum SyncErrors {
    static let device = ErrorKind(
        "E-DEVICE-UNKNOWN", "unknown device",
        explanation: "`device list` lists the devices of the session; `device add phone NAME` adds one.")
    static let deviceName = ErrorKind(
        "E-DEVICE-NAME", "invalid device name",
        explanation: """
            A device's name is its folder's name: letters, digits, dashes and underscores, at most 64, and not the name of \
            another device.
            """)
    static let noDevice = ErrorKind(
        "E-DEVICE-NONE", "no device is in use",
        explanation: "A sync requires a device: `device add phone NAME`, or `device use NAME`.")
    static let offline = ErrorKind(
        "E-SYNC-OFFLINE", "the device has no connection",
        explanation: """
            The device is offline, suspended or not running. Its edits stay in the outbox. `device set NAME --network on` \
            reconnects it.
            """)
    static let exhausted = ErrorKind(
        "E-SYNC-EXHAUSTED", "all attempts failed",
        explanation: """
            The cloud could not be reached in 4 attempts. Unsent changes stay in the outbox until the next sync. Nothing \
            is lost.
            """)
    static let refused = ErrorKind(
        "E-SYNC-REFUSED", "the cloud refused the sync",
        explanation:
            "The cloud returned a permanent error, which the message names.")
    static let massDeletion = ErrorKind(
        "E-SYNC-MASSDELETE", "the sync would delete many records",
        explanation: """
            A sync that would delete more than a tenth of a store stops first: the folder may be wrong or the store \
            emptied. `sync plan` shows the deletions; `--delete-many` allows them.
            """)
    static let storeGone = ErrorKind(
        "E-SYNC-ASIDE", "the app's store is set aside",
        explanation: """
            The app's store is missing, was emptied, or cannot be read: none of its records is sent, and none written. \
            `sync restore` with `waypoints`, `hikes` or `routes` brings them back from the cloud; with `--deleted` it \
            confirms that they are deleted.
            """)
    static let clock = ErrorKind(
        "E-SYNC-CLOCK", "the device's clock is far off",
        explanation: """
            The device's clock differs from the cloud's by more than a day. Its edits would win or lose every conflict for \
            years, so that it neither syncs nor sends or receives over the watch link. Correct it (`device set NAME --clock 0s`); \
            nothing is lost, the edits stay in the store, and items of the link wait.
            """)
    static let store = ErrorKind(
        "E-SYNC-STORE", "unreadable sync records",
        explanation: "A file in the device's folder is damaged or has the wrong format. Nothing was changed."
    )
    static let newer = ErrorKind(
        "E-SYNC-NEWER", "the file was written by a newer version",
        explanation:
            "A newer version of Rutter wrote the file in a format that this version does not support.")
    static let schema = ErrorKind(
        "E-SYNC-SCHEMA", "not a sync cloud",
        explanation: "The database has another purpose or version. Choose another with --cloud.")
    static let photo = ErrorKind(
        "E-SYNC-PHOTO", "the cloud's copy of a photo or track is missing or damaged",
        explanation: """
            The record is set aside together with its local edits (`sync conflicts --aside`), and every sync requests the photo or track again. On a device that has it, `sync compare --heal` uploads it.
            """)
    static let record = ErrorKind(
        "E-SYNC-RECORD", "unknown record",
        explanation:
            "A record is named by the first letters of its id; `sync status` and `sync log` show them.")
    static let conflict = ErrorKind(
        "E-SYNC-NOCONFLICT", "unknown conflict",
        explanation: "`sync conflicts` lists the values that lost, each with its number.")
    static let cloud = ErrorKind(
        "E-SYNC-CLOUD", "the cloud cannot be used",
        explanation: """
            An address is \(CloudKinds.list). The message states the reason: no connection, refused keys, an untrusted certificate, \
            another schema.
            """)
    static let unsafe = ErrorKind(
        "E-SYNC-UNSAFE", "the object store ignores conditional writes",
        explanation: """
            Concurrent saves by several devices rely on conditional writes (`If-Match`, \
            `If-None-Match`). In a store that ignores the condition, one device would silently overwrite another's changes. Nothing \
            was sent.
            """)
    static let account = ErrorKind(
        "E-SYNC-ACCOUNT", "the records belong to another account",
        explanation: """
            A device's records belong to the account that it first synced with. With another one, `sync account apart` \
            stores them separately and starts with the new account's, `sync account merge` sends them to the new account, and \
            `sync account remove` removes them from the device. Until then nothing is sent or received.
            """)
    static let unsent = ErrorKind(
        "E-SYNC-UNSENT", "edits were never sent",
        explanation: """
            Removing the account's records would lose unsent edits; `sync status` counts them. Unsent records that were set aside \
            earlier with `sync account apart` would be lost as well: `sync account apart` with their cloud returns to them, and \
            `sync` sends them.
            """)
    static let notEmpty = ErrorKind(
        "E-SYNC-NOTEMPTY", "the cloud is not empty",
        explanation: """
            A replay writes to a cloud and empties it at the end. It runs only in a zone that was never used, never in one that \
            is in use.
            """)
    static let schedule = ErrorKind(
        "E-SYNC-SCHEDULE", "the schedule cannot be read",
        explanation: """
            A schedule is a list of steps separated by semicolons: a kind and three numbers (device, record, choice), such as \
            `edit 0 2 5; sync 0 0 61440`. `sync simulate` prints them.
            """)

    static let container = ErrorKind(
        "E-SYNC-CONTAINER", "the container or its entitlements cannot be read",
        explanation: """
            A container's identifier begins with `iCloud.`, and consists of letters, digits, dots and dashes. Entitlements are a \
            property list, XML or binary.
            """)

    static let all = [
        device, deviceName, noDevice, offline, exhausted, refused, massDeletion, clock, store, newer, schema,
        photo, record, storeGone,
        conflict, cloud, unsafe, account, unsent, notEmpty, schedule, container,
    ]
}
