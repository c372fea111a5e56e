#ifndef CFAULTYDISK_H
#define CFAULTYDISK_H

#include <stdint.h>

/// Failing disks: a SQLite VFS layer above the default one. Files in the folder of a disk go through it, all others
/// bypass it. It records unflushed writes, so that a power failure can lose any part of them.

/// How a disk fails at a write, a change of size, or a flush.
enum {
    /// The process ends; its writes are kept.
    FAULTY_DISK_KILL = 0,
    /// The power fails: any sectors of unflushed writes are lost.
    FAULTY_DISK_POWER = 1,
    /// The disk is full, until it is repaired.
    FAULTY_DISK_FULL = 2,
    /// One write fails after writing a part.
    FAULTY_DISK_WRITE = 3,
    /// One flush fails, and its data are lost.
    FAULTY_DISK_FLUSH = 4,
    FAULTY_DISK_KINDS = 5,
};

/// Creates a disk for a folder; returns its number, or -1 if there are too many or SQLite rejects the layer.
int faulty_disk_make(const char *folder, uint64_t seed);
/// Removes a disk. All its files must be closed.
void faulty_disk_forget(int disk);
/// Makes a disk fail after a number of further writes and flushes.
void faulty_disk_arm(int disk, int kind, int after);
/// Ends the processes on a disk immediately, by FAULTY_DISK_KILL or FAULTY_DISK_POWER.
void faulty_disk_end(int disk, int kind);
/// Flushes everything on a disk.
void faulty_disk_flush(int disk);
/// Repairs a disk. After a kill or a power failure, files opened before cannot be used any more; after a power
/// failure, lost data are removed from the files, which must all be closed.
void faulty_disk_repair(int disk);
/// Counts the change of a file that does not go through SQLite; returns how it fails, or -1. On a full disk, or after
/// its processes have ended, all changes fail.
int faulty_disk_change(int disk);
/// Whether a disk has failed since its last repair.
int faulty_disk_has_failed(int disk);
/// Whether the processes on a disk have ended.
int faulty_disk_is_dead(int disk);
/// How often disks have failed in a given way in this process.
long faulty_disk_failures(int kind);
/// Makes a disk report flushes that it did not do: a planted fault.
void faulty_disk_lie(int disk, int lies);

#endif
