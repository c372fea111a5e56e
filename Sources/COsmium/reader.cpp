#include "COsmium.h"

#include "headers.h"

#if COSMIUM_CAN_BUILD

#include <osmium/io/any_input.hpp>
#include <osmium/osm/relation.hpp>
#include <osmium/osm/way.hpp>
#include <osmium/visitor.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace {

struct Stopped {};

/// The places of keys in a list, found without comparing each: every tag of a file is looked up.
class KeyPlaces {
    const char *const *keys;
    size_t mask;
    std::vector<int32_t> slots;

    /// FNV-1a.
    static size_t hash(const char *text) {
        uint32_t sum = 2166136261u;
        for (; *text; ++text) sum = (sum ^ static_cast<unsigned char>(*text)) * 16777619u;
        return sum ^ (sum >> 15);
    }

public:
    KeyPlaces(const char *const *keys, size_t count) : keys(keys) {
        size_t size = 16;
        while (size < 4 * count) size *= 2;
        mask = size - 1;
        slots.assign(size, -1);
        for (size_t key = 0; key < count; ++key) {
            size_t slot = hash(keys[key]) & mask;
            while (slots[slot] >= 0) slot = (slot + 1) & mask;
            slots[slot] = static_cast<int32_t>(key);
        }
    }

    /// The place of a key; -1 where it is not in the list.
    int32_t of(const char *key) const {
        for (size_t slot = hash(key) & mask; slots[slot] >= 0; slot = (slot + 1) & mask) {
            if (!std::strcmp(keys[slots[slot]], key)) return slots[slot];
        }
        return -1;
    }
};

/// Texts, each kept once.
struct TextStore {
    std::vector<int64_t> first_byte{0};
    std::string bytes;
    std::unordered_map<std::string, int32_t> texts;

    int32_t text(const char *value) {
        const auto found = texts.find(value);
        if (found != texts.end()) return found->second;
        const auto index = static_cast<int32_t>(texts.size());
        texts.emplace(value, index);
        bytes += value;
        first_byte.push_back(static_cast<int64_t>(bytes.size()));
        return index;
    }
};

struct WayStore : TextStore {
    std::vector<int64_t> ids;
    std::vector<int64_t> first_ref{0};
    std::vector<int64_t> refs;
    std::vector<int32_t> positions;
    bool has_positions = false;
    std::vector<int32_t> values;

    KeyPlaces keys;
    size_t key_count;

    WayStore(const char *const *keys, size_t count) : keys(keys, count), key_count(count) {}

    void tag(const osmium::OSMObject &object) {
        ids.push_back(object.id());
        const size_t start = values.size();
        values.resize(start + key_count, -1);
        for (const auto &tag : object.tags()) {
            const int32_t key = keys.of(tag.key());
            // Of a key that comes twice the first value counts.
            if (key < 0 || values[start + static_cast<size_t>(key)] >= 0) continue;
            values[start + static_cast<size_t>(key)] = text(tag.value());
        }
    }

    /// A node in the way: its tags alone.
    void add(const osmium::Node &node) {
        tag(node);
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }

    /// A relation: its tags and the ways and relations it has; the latter by their negative ids less one.
    void add(const osmium::Relation &relation) {
        tag(relation);
        for (const auto &member : relation.members()) {
            if (member.type() == osmium::item_type::way) refs.push_back(member.ref());
            if (member.type() == osmium::item_type::relation && member.ref() >= 0) refs.push_back(-member.ref() - 1);
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }

    void lend(cosm_ways &ways) {
        ways.count = ids.size();
        ways.ids = ids.data();
        ways.first_ref = first_ref.data();
        ways.refs = refs.data();
        ways.ref_positions = has_positions ? positions.data() : nullptr;
        ways.values = values.data();
        ways.text_count = first_byte.size() - 1;
        ways.first_byte = first_byte.data();
        ways.bytes = bytes.data();
        ways.owner = this;
    }

    void add(const osmium::Way &way) {
        tag(way);
        for (const auto &ref : way.nodes()) {
            refs.push_back(ref.ref());
            const bool known = ref.location().valid();
            has_positions = has_positions || known;
            positions.push_back(known ? ref.location().y() : COSM_UNDEFINED);
            positions.push_back(known ? ref.location().x() : COSM_UNDEFINED);
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }
};

/// Positions by sorted ids: files are sorted as a rule, so the next id is looked for near the last.
struct NodeStore {
    const int64_t *ids;
    size_t count;
    int32_t *latitudes;
    int32_t *longitudes;
    size_t cursor = 0;

    /// Keeps the position of a node that was asked for; whether it was.
    bool add(const osmium::Node &node) {
        const int64_t id = node.id();
        if (cursor >= count || ids[cursor] > id) {
            if (cursor > 0 && ids[cursor - 1] < id) return false;
            cursor = 0;
        }
        size_t step = 1;
        size_t low = cursor;
        while (low + step < count && ids[low + step] <= id) {
            low += step;
            step *= 2;
        }
        const size_t high = std::min(count, low + step);
        cursor = static_cast<size_t>(std::lower_bound(ids + low, ids + high, id) - ids);
        if (cursor < count && ids[cursor] == id && node.location().valid()) {
            latitudes[cursor] = node.location().y();
            longitudes[cursor] = node.location().x();
            return true;
        }
        return false;
    }
};

cosm_result failure(cosm_status status, const char *message, uint64_t offset) {
    cosm_result result;
    std::memset(&result, 0, sizeof result);
    result.status = status;
    result.offset = offset;
    std::strncpy(result.message, message, sizeof result.message - 1);
    return result;
}

/// Reads a file with every exception caught; `take` gets each object.
template <typename Take>
cosm_result read(
    const char *path, osmium::osm_entity_bits::type bits, cosm_progress progress, void *context, Take &&take) {
    uint64_t offset = 0;
    try {
        osmium::io::Reader reader{osmium::io::File{path}, bits, osmium::io::read_meta::no};
        try {
            while (osmium::memory::Buffer buffer = reader.read()) {
                for (auto &item : buffer) take(item);
                offset = reader.offset();
                if (progress && progress(context, offset, reader.file_size()) != 0) throw Stopped{};
            }
            reader.close();
        } catch (...) {
            offset = std::max<uint64_t>(offset, reader.offset());
            throw;
        }
        return failure(cosm_ok, "", offset);
    } catch (const Stopped &) {
        return failure(cosm_stopped, "", offset);
    } catch (const osmium::unsupported_file_format_error &error) {
        return failure(cosm_kind, error.what(), offset);
    } catch (const osmium::pbf_error &error) {
        const bool feature = std::strstr(error.what(), "required feature") != nullptr;
        return failure(feature ? cosm_feature : cosm_damaged, error.what(), offset);
    } catch (const osmium::io_error &error) {
        return failure(cosm_damaged, error.what(), offset);
    } catch (const std::system_error &error) {
        return failure(cosm_system, error.what(), offset);
    } catch (const std::bad_alloc &) {
        return failure(cosm_memory, "out of memory", offset);
    } catch (const std::exception &error) {
        return failure(cosm_damaged, error.what(), offset);
    } catch (...) {
        return failure(cosm_damaged, "unknown failure", offset);
    }
}

}  // namespace

extern "C" cosm_result cosm_read_ways(
    const char *path, const char *const *keys, size_t key_count, const char *const *route_keys,
    size_t route_key_count, cosm_progress progress, void *context, cosm_ways *ways, cosm_ways *routes) {
    std::memset(ways, 0, sizeof *ways);
    std::memset(routes, 0, sizeof *routes);
    auto *store = new (std::nothrow) WayStore{keys, key_count};
    auto *trails = new (std::nothrow) WayStore{route_keys, route_key_count};
    if (store) store->lend(*ways);
    if (trails) trails->lend(*routes);
    if (!store || !trails) return failure(cosm_memory, "out of memory", 0);
    const auto bits = osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation;
    const auto result = read(path, bits, progress, context, [&](const auto &item) {
        if (item.type() == osmium::item_type::way) {
            const auto &way = static_cast<const osmium::Way &>(item);
            const auto &tags = way.tags();
            if (tags.has_key(keys[0]) || tags.has_tag("route", "ferry") || tags.has_tag("railway", "platform")) {
                store->add(way);
            }
        } else if (item.type() == osmium::item_type::relation) {
            const auto &relation = static_cast<const osmium::Relation &>(item);
            const char *route = relation.tags().get_value_by_key("route");
            if (route && (std::strcmp(route, "hiking") == 0 || std::strcmp(route, "foot") == 0)) {
                trails->add(relation);
            }
        }
    });
    store->lend(*ways);
    trails->lend(*routes);
    return result;
}

extern "C" void cosm_free_ways(cosm_ways *ways) {
    delete static_cast<WayStore *>(ways->owner);
    std::memset(ways, 0, sizeof *ways);
}

extern "C" cosm_result cosm_read_nodes(
    const char *path, const int64_t *ids, size_t count, const cosm_mark_keys *obstacle_keys,
    cosm_progress progress, void *context, int32_t *latitudes, int32_t *longitudes, uint64_t *seen,
    cosm_ways *obstacles) {
    std::memset(obstacles, 0, sizeof *obstacles);
    auto *stopping = new (std::nothrow) WayStore{obstacle_keys->keys, obstacle_keys->key_count};
    if (!stopping) return failure(cosm_memory, "out of memory", 0);
    NodeStore store{ids, count, latitudes, longitudes};
    uint64_t total = 0;
    const auto result = read(path, osmium::osm_entity_bits::node, progress, context, [&](const auto &item) {
        if (item.type() != osmium::item_type::node) return;
        ++total;
        const auto &node = static_cast<const osmium::Node &>(item);
        const bool is_wanted = store.add(node);
        if (node.tags().empty()) return;
        const auto marks = obstacle_keys->keys;
        if (is_wanted && std::any_of(marks, marks + obstacle_keys->mark_count, [&](const char *key) {
                return node.tags().has_key(key);
            })) {
            stopping->add(node);
        }
    });
    *seen = total;
    stopping->lend(*obstacles);
    return result;
}

#include "map.hpp"
#include "places.hpp"

#else

extern "C" cosm_result cosm_read_places(const char *, cosm_progress, void *, cosm_places *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" void cosm_free_places(cosm_places *) {}

extern "C" cosm_result cosm_read_map(
    const char *, const cosm_map_keys *, cosm_progress, void *, cosm_take_feature, void *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" cosm_result cosm_read_ways(
    const char *, const char *const *, size_t, const char *const *, size_t, cosm_progress, void *, cosm_ways *,
    cosm_ways *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" void cosm_free_ways(cosm_ways *) {}

extern "C" cosm_result cosm_read_nodes(
    const char *, const int64_t *, size_t, const cosm_mark_keys *, cosm_progress, void *, int32_t *, int32_t *,
    uint64_t *, cosm_ways *) {
    return {cosm_kind, "built without libosmium", 0};
}

#endif
