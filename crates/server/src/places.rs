//! A place is the permission for one request with a search, or for one connection. The number of
//! places is limited, in total and per client.

use std::collections::HashMap;

use crate::client::Client;
use crate::config::Config;

/// Limits and current use of places.
pub(crate) struct Places {
    pub(crate) most: usize,
    pub(crate) most_of_client: usize,
    taken: usize,
    /// Places in use per client, never 0.
    by_client: HashMap<Client, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlaceLimit {
    OfAll,
    OfClient,
}

impl Places {
    pub(crate) fn new(most: usize, most_of_client: usize) -> Places {
        Places {
            most,
            most_of_client,
            taken: 0,
            by_client: HashMap::new(),
        }
    }

    /// Places for connections. Behind a proxy all connections have one address, so only the total
    /// is limited.
    pub(crate) fn of_connections(config: &Config, most: usize, most_of_client: usize) -> Places {
        let most_of_client = match config.client_header {
            None => most_of_client,
            Some(_) => most,
        };
        Places::new(most, most_of_client)
    }

    /// Takes a place, which the caller must free.
    pub(crate) fn take(&mut self, client: Client) -> Result<(), PlaceLimit> {
        let count = self.by_client.get(&client).copied().unwrap_or(0);
        if self.taken >= self.most {
            return Err(PlaceLimit::OfAll);
        }
        if count >= self.most_of_client {
            return Err(PlaceLimit::OfClient);
        }
        self.taken += 1;
        self.by_client.insert(client, count + 1);
        Ok(())
    }

    pub(crate) fn taken(&self) -> usize {
        self.taken
    }

    pub(crate) fn free(&mut self, client: Client) {
        self.taken -= 1;
        if let Some(count) = self.by_client.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.by_client.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_bounded_in_total_and_per_client() {
        let mut places = Places::new(3, 2);
        let [one, other] = [1, 2].map(Client::number);
        let found = [one, one, one, other, other].map(|client| places.take(client));
        let full = [PlaceLimit::OfClient, PlaceLimit::OfAll].map(Err);
        assert_eq!(found, [Ok(()), Ok(()), full[0], Ok(()), full[1]]);
        places.free(one);
        assert_eq!(places.take(other), Ok(()));
        for client in [one, other, other] {
            places.free(client);
        }
        assert!(places.by_client.is_empty() && places.taken == 0);
    }
}
