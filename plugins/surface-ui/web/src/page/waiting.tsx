import { Loader } from '@mantine/core'

export const Waiting = ({ here }: { readonly here: boolean }) =>
  here ? <Loader size="sm" m="md" role="status" aria-label="Loading" /> : null
